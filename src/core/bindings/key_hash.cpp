#include "bindings/key_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tesuji::python {

namespace nb = nanobind;

namespace {

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

// splitmix64's last step: every bit of the input reaches every bit of the result.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

std::uint64_t join(std::uint64_t so_far, std::uint64_t next) { return mixed(so_far * golden + next); }

std::uint64_t of_bytes(const unsigned char* data, std::size_t size, std::uint64_t seed) {
  std::uint64_t result = join(seed, size);
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, std::min<std::size_t>(8, size - at));
    result = join(result, word);
  }
  return result;
}

nb::object checked(PyObject* result) {
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

std::uint64_t of_int(nb::handle number) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return mixed(static_cast<std::uint64_t>(small) + golden);
  // Larger ones word by word, from the lowest up, with the sign extended.
  nb::object rest = nb::borrow(number);
  const nb::object mask = checked(PyLong_FromUnsignedLongLong(~0ULL));
  const nb::object width = checked(PyLong_FromLong(64));
  std::uint64_t result = golden;
  for (;;) {
    const nb::object low = checked(PyNumber_And(rest.ptr(), mask.ptr()));
    result = join(result, PyLong_AsUnsignedLongLong(low.ptr()));
    rest = checked(PyNumber_Rshift(rest.ptr(), width.ptr()));
    const long long left = PyLong_AsLongLongAndOverflow(rest.ptr(), &overflow);
    if (overflow == 0) return join(result, static_cast<std::uint64_t>(left));
  }
}

// What equals a whole number must hash like it: 1.0 == 1 == True.
std::uint64_t of_float(nb::handle number) {
  const double value = PyFloat_AS_DOUBLE(number.ptr());
  if (std::isfinite(value) && value == std::floor(value)) return of_int(checked(PyLong_FromDouble(value)));
  return join(3, std::bit_cast<std::uint64_t>(value));
}

std::uint64_t of(nb::handle key);

std::uint64_t of_tuple(nb::handle key) {
  const Py_ssize_t size = PyTuple_GET_SIZE(key.ptr());
  std::uint64_t result = join(5, static_cast<std::uint64_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) result = join(result, of(PyTuple_GET_ITEM(key.ptr(), i)));
  return result;
}

// The order in which a set lists its members says nothing.
std::uint64_t of_set(nb::handle key) {
  std::uint64_t sum = 0;
  for (const nb::handle member : key) sum += mixed(of(member));
  return join(7, sum);
}

// A subclass that has not changed its hash() compares like its parent.
bool hashes_like(nb::handle object, PyTypeObject& type) { return Py_TYPE(object.ptr())->tp_hash == type.tp_hash; }

std::uint64_t of(nb::handle key) {
  if (PyLong_Check(key.ptr()) != 0 && hashes_like(key, PyLong_Type)) return of_int(key);
  if (PyTuple_Check(key.ptr()) != 0 && hashes_like(key, PyTuple_Type)) return of_tuple(key);
  if (PyUnicode_Check(key.ptr()) != 0 && hashes_like(key, PyUnicode_Type)) {
    const auto* data = static_cast<const unsigned char*>(PyUnicode_DATA(key.ptr()));
    const auto width = static_cast<std::size_t>(PyUnicode_KIND(key.ptr()));
    return of_bytes(data, width * static_cast<std::size_t>(PyUnicode_GET_LENGTH(key.ptr())), 11 + width);
  }
  if (PyBytes_Check(key.ptr()) != 0 && hashes_like(key, PyBytes_Type)) {
    const auto* data = reinterpret_cast<const unsigned char*>(PyBytes_AS_STRING(key.ptr()));
    return of_bytes(data, static_cast<std::size_t>(PyBytes_GET_SIZE(key.ptr())), 19);
  }
  if (key.is_none()) return mixed(23);
  if (PyFloat_Check(key.ptr()) != 0 && hashes_like(key, PyFloat_Type)) return of_float(key);
  if (PyFrozenSet_Check(key.ptr()) != 0 && hashes_like(key, PyFrozenSet_Type)) return of_set(key);
  const Py_hash_t other = PyObject_Hash(key.ptr());
  if (other == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return join(29, static_cast<std::uint64_t>(other));
}

}  // namespace

std::uint64_t key_hash(nb::handle key) {
  const std::uint64_t result = of(key);
  return result == 0 ? 1 : result;
}

}  // namespace tesuji::python
