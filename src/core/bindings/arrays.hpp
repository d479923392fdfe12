// Numbers that go to numpy without being copied.
#pragma once

#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace tesuji::python {

// Hands a vector over.
template <typename T>
nanobind::object as_array(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(kept->data(), {kept->size()}, owner));
}

// Hands a block of numbers over, as an array of this shape.
template <typename T>
nanobind::object as_array(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
  T* const numbers = values.release();
  const nanobind::capsule owner(numbers, [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(numbers, shape, owner));
}

}  // namespace tesuji::python
