#include "base/mapped_file.hpp"

#include <system_error>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <filesystem>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace tesuji {

namespace {

// Closes a handle or descriptor at the end of its scope; the mapping stays valid.
template <typename Handle, typename Close>
struct Closing {
  Handle handle;
  Close close;
  ~Closing() { close(handle); }
};
template <typename Handle, typename Close>
Closing(Handle, Close) -> Closing<Handle, Close>;

}  // namespace

#ifdef _WIN32

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(static_cast<int>(GetLastError()), std::system_category(), path);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const auto* utf8 = reinterpret_cast<const char8_t*>(path.c_str());
  const HANDLE file =
      CreateFileW(std::filesystem::path(utf8).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) fail(path);
  const Closing closing{file, CloseHandle};
  LARGE_INTEGER size;
  if (GetFileSizeEx(file, &size) == 0) fail(path);
  size_ = static_cast<std::size_t>(size.QuadPart);
  if (size_ == 0) return;  // nothing to map
  const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (mapping == nullptr) fail(path);
  const Closing closing_mapping{mapping, CloseHandle};
  data_ = static_cast<const std::uint8_t*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
  if (data_ == nullptr) fail(path);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) UnmapViewOfFile(data_);
}

#else

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), path);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // do not block on a pipe
  if (file < 0) fail(path, errno);
  const Closing closing{file, close};
  struct stat about{};
  if (fstat(file, &about) != 0) fail(path, errno);
  if (S_ISDIR(about.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(about.st_mode)) fail(path, ENODEV);
  size_ = static_cast<std::size_t>(about.st_size);
  if (size_ == 0) return;  // nothing to map
  void* const found = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
  if (found != MAP_FAILED) {
    data_ = static_cast<const std::uint8_t*>(found);
    return;
  }
  copy_.resize(size_);
  std::size_t done = 0;
  for (ssize_t got = 1; done < size_ && got > 0; done += static_cast<std::size_t>(got)) {
    got = read(file, copy_.data() + done, size_ - done);
    if (got < 0) fail(path, errno);
  }
  size_ = done;
  data_ = copy_.data();
}

MappedFile::~MappedFile() {
  if (data_ != nullptr && data_ != copy_.data()) munmap(const_cast<std::uint8_t*>(data_), size_);
}

#endif

}  // namespace tesuji
