// A read-only memory-mapped file. Pages are loaded on first access and shared between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tesuji {

class MappedFile {
 public:
  // `path` is UTF-8. Throws std::system_error if the file cannot be opened or read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::uint8_t> copy_;  // used if the file system does not support mmap
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tesuji
