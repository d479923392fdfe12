// Zero-copy numpy arrays.
#pragma once

#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace tesuji::python {

// Transfers ownership of a vector.
template <typename T>
nanobind::object as_array(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(kept->data(), {kept->size()}, owner));
}

// Transfers ownership of a block of numbers, as an array of this shape.
template <typename T>
nanobind::object as_array(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
  T* const numbers = values.release();
  const nanobind::capsule owner(numbers, [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(numbers, shape, owner));
}

}  // namespace tesuji::python
