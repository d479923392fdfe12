// 64-bit hashes of a Python state's key(), for transposition tables.
//
// Python's hash() is unsuitable: hash(-1) == hash(-2), integers are reduced modulo 2^61 - 1, and strings are salted per
// process. Here numbers, strings, bytes, tuples and sets of these are hashed by content. Any other object, such as a
// dataclass, is compared by equality: it gets a number at its first appearance, and the number is hashed. So a search
// is the same in every process.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

#include "bindings/garbage.hpp"

namespace tesuji::python {

class KeyHasher {
 public:
  // 0 only if an object needs a number and numbering is off.
  std::uint64_t hash(nanobind::handle key);

  // Turns the numbering of new objects on or off: each number keeps its object alive.
  void set_numbering(bool wanted) { numbering_ = wanted; }
  // Releases the numbered objects if there are many. Numbers are never reused.
  void prune();
  std::size_t numbered() const { return count_; }
  void references(References& found) { found(numbers_); }

 private:
  std::uint64_t of(nanobind::handle key);
  std::uint64_t of_tuple(nanobind::handle key);
  std::uint64_t of_set(nanobind::handle key);
  std::uint64_t of_float(nanobind::handle key);
  std::uint64_t number_of(nanobind::handle key);

  nanobind::dict numbers_;
  std::size_t count_ = 0;  // size of numbers_, readable without the GIL
  std::uint64_t next_ = 0;
  bool numbering_ = true;
  bool missing_ = false;  // an object of the current key has no number
};

}  // namespace tesuji::python
