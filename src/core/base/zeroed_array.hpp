// A zero-initialized array by calloc, whose pages are allocated on first use: a large table does not slow down a short
// search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace tesuji {

template <typename Entry>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size = 0)
      : size_(size), entries_(size == 0 ? nullptr : static_cast<Entry*>(std::calloc(size, sizeof(Entry)))) {
    static_assert(std::is_trivially_copyable_v<Entry>);
    if (size > 0 && entries_ == nullptr) throw std::bad_alloc();
  }
  std::size_t size() const { return size_; }
  Entry* data() const { return entries_.get(); }
  Entry& operator[](std::size_t index) { return entries_.get()[index]; }
  const Entry& operator[](std::size_t index) const { return entries_.get()[index]; }
  void clear() { std::fill_n(entries_.get(), size_, Entry{}); }

 private:
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  std::size_t size_;
  std::unique_ptr<Entry, Free> entries_;
};

}  // namespace tesuji
