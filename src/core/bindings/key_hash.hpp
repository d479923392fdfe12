// 64 bits for the key() of a Python state, for transposition tables.
//
// Python's own hash() will not do: it is the same for -1 and -2 and for numbers that differ by a multiple of 2^61 - 1,
// and another one in every process for texts. Here numbers, texts, bytes, tuples and sets of these are mixed by what
// they hold. Anything else, such as a dataclass, is known by equality alone: it is numbered when it first appears, and
// its number is mixed. So different keys have different hashes, as far as 64 bits go, and a search is the same in every
// process.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

namespace tesuji::python {

class KeyHasher {
 public:
  // 0 only where something in the key needs a number and no more are given.
  std::uint64_t hash(nanobind::handle key);

  // Gives new numbers, or none: each keeps its object alive.
  void give_numbers(bool wanted) { gives_ = wanted; }
  // Lets the numbered objects go where there are many. Their numbers are not given again, so that no two objects ever
  // have the same.
  void prune();
  std::size_t numbered() const { return count_; }

 private:
  std::uint64_t of(nanobind::handle key);
  std::uint64_t of_tuple(nanobind::handle key);
  std::uint64_t of_set(nanobind::handle key);
  std::uint64_t of_float(nanobind::handle key);
  std::uint64_t number_of(nanobind::handle key);

  nanobind::dict numbers_;
  std::size_t count_ = 0;  // of them; asked without the interpreter's lock, too
  std::uint64_t next_ = 0;
  bool gives_ = true;
  bool missing_ = false;  // a number, while a key is hashed
};

}  // namespace tesuji::python
