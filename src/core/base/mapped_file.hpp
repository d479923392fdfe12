// A file to read as if it were memory: pages come from the disk when they are first looked at, and every process that
// has the file open shares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tesuji {

class MappedFile {
 public:
  // `path` is UTF-8. std::system_error where the file cannot be opened or read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::uint8_t> copy_;  // where the file system cannot map files
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tesuji
