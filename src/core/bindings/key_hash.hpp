// 64 bits for the key() of a Python state, for transposition tables.
//
// Python's own hash() will not do: it is the same for -1 and -2 and for numbers that differ by a multiple of 2^61 - 1,
// and another one in every process for texts. Here numbers, texts, bytes, tuples and sets of these are mixed by
// what they hold; anything else by its hash(). Equal keys have equal hashes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace tesuji::python {

// Never 0.
std::uint64_t key_hash(nanobind::handle key);

}  // namespace tesuji::python
