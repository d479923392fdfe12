// Arrays of numpy: arguments, which are checked and read in place, and results, which are not copied.
#pragma once

#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

namespace tesuji::python {

namespace nb = nanobind;

template <typename T, std::size_t dimensions = 1>
using Input = nb::ndarray<const T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
template <typename T, std::size_t dimensions = 1>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<dimensions>>;

// Transfers ownership of a vector.
template <typename T>
Array<T> as_array(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return Array<T>(kept->data(), {kept->size()}, owner);
}

// Transfers ownership of a block of numbers, as an array of this shape.
template <typename T, std::size_t dimensions>
Array<T, dimensions> as_array(std::unique_ptr<T[]> values, const std::size_t (&shape)[dimensions]) {
  T* const numbers = values.release();
  const nb::capsule owner(numbers, [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
  return Array<T, dimensions>(numbers, dimensions, shape, owner);
}

}  // namespace tesuji::python
