#include "bindings/python/key_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/hash.hpp"
#include "bindings/errors.hpp"

namespace tesuji::python {

namespace nb = nanobind;

namespace {

// Domain separation by type.
enum Kind : std::uint64_t {
  of_integer = 1,
  of_fraction,
  of_sequence,
  of_members,
  of_none,
  of_number,
  of_octets,
  of_text,
};

// Numbered objects that survive prune(): enough for recurring parts of keys.
constexpr std::size_t max_kept_numbers = 1024;

std::uint64_t of_bytes(const char* data, Py_ssize_t size, Kind kind) {
  std::uint64_t result = hash_combine(kind, static_cast<std::uint64_t>(size));
  for (Py_ssize_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, static_cast<std::size_t>(std::min<Py_ssize_t>(8, size - at)));
    result = hash_combine(result, word);
  }
  return result;
}

std::uint64_t of_int(nb::handle number) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return hash_combine(of_integer, static_cast<std::uint64_t>(small));
  // Larger integers word by word, lowest first, sign-extended.
  nb::object rest = nb::borrow(number);
  std::uint64_t result = of_integer;
  for (;;) {
    result = hash_combine(result, nb::cast<std::uint64_t>(rest & nb::int_(~std::uint64_t{0})));
    rest = rest >> nb::int_(64);
    const long long left = PyLong_AsLongLongAndOverflow(rest.ptr(), &overflow);
    if (overflow == 0) return hash_combine(result, static_cast<std::uint64_t>(left));
  }
}

// Whether a type is this one, or a subclass that inherits hash() and == from it.
bool compares_like(nb::handle object, PyTypeObject& type) {
  PyTypeObject* own = Py_TYPE(object.ptr());
  const auto same = [&](int slot) { return PyType_GetSlot(own, slot) == PyType_GetSlot(&type, slot); };
  return own == &type || (same(Py_tp_hash) && same(Py_tp_richcompare));
}

bool is(nb::handle object, int check, PyTypeObject& type) { return check != 0 && compares_like(object, type); }
bool is_int(nb::handle key) { return is(key, PyLong_Check(key.ptr()), PyLong_Type); }
bool is_tuple(nb::handle key) { return is(key, PyTuple_Check(key.ptr()), PyTuple_Type); }
bool is_text(nb::handle key) { return is(key, PyUnicode_Check(key.ptr()), PyUnicode_Type); }
bool is_bytes(nb::handle key) { return is(key, PyBytes_Check(key.ptr()), PyBytes_Type); }
bool is_set(nb::handle key) { return is(key, PyFrozenSet_Check(key.ptr()), PyFrozenSet_Type); }
// Not NaN, which is not equal to itself.
bool is_float(nb::handle key) {
  return is(key, PyFloat_Check(key.ptr()), PyFloat_Type) && !std::isnan(PyFloat_AsDouble(key.ptr()));
}
// Integers of other libraries such as numpy, which compare equal to Python's.
bool is_integral(nb::handle key) {
  if (PyIndex_Check(key.ptr()) == 0) return false;
  static PyObject* const integral = nb::object(nb::module_::import_("numbers").attr("Integral")).release().ptr();
  const int found = PyObject_IsInstance(key.ptr(), integral);
  if (found < 0) throw nb::python_error();
  return found == 1;
}

std::uint64_t of_string(nb::handle key) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(key.ptr(), &size)) return of_bytes(data, size, of_text);
  PyErr_Clear();  // lone surrogates are not UTF-8
  const nb::object encoded = checked(PyUnicode_AsEncodedString(key.ptr(), "utf-8", "surrogatepass"));
  return of_bytes(PyBytes_AsString(encoded.ptr()), PyBytes_Size(encoded.ptr()), of_text);
}

// Whether the key can be hashed by content alone.
bool is_plain(nb::handle key) {
  if (is_tuple(key) || is_set(key)) {
    for (const nb::handle member : key) {
      if (!is_plain(member)) return false;
    }
    return true;
  }
  return is_int(key) || is_text(key) || is_bytes(key) || key.is_none() || is_float(key) || is_integral(key);
}

}  // namespace

// A float equal to an integer must hash like it: 1.0 == 1 == True.
std::uint64_t KeyHasher::of_float(nb::handle key) {
  const double value = PyFloat_AsDouble(key.ptr());
  if (std::isfinite(value) && value == std::floor(value)) return of_int(checked(PyLong_FromDouble(value)));
  return hash_combine(of_fraction, std::bit_cast<std::uint64_t>(value));
}

std::uint64_t KeyHasher::of_tuple(nb::handle key) {
  const Py_ssize_t size = PyTuple_Size(key.ptr());
  std::uint64_t result = hash_combine(of_sequence, static_cast<std::uint64_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) result = hash_combine(result, of(PyTuple_GetItem(key.ptr(), i)));
  return result;
}

// A set's iteration order differs between processes, so that its members cannot be numbered one by one.
std::uint64_t KeyHasher::of_set(nb::handle key) {
  if (!is_plain(key)) return number_of(key);
  std::uint64_t sum = 0;
  for (const nb::handle member : key) sum += mix(of(member));
  return hash_combine(of_members, sum);
}

std::uint64_t KeyHasher::number_of(nb::handle key) {
  PyObject* const found = find_item(numbers_, key);
  if (found != nullptr) return hash_combine(of_number, PyLong_AsUnsignedLongLong(found));
  if (!numbering_) {
    missing_ = true;
    return 0;
  }
  numbers_[key] = nb::int_(next_);
  ++count_;
  return hash_combine(of_number, next_++);
}

std::uint64_t KeyHasher::of(nb::handle key) {
  if (is_int(key)) return of_int(key);
  if (is_tuple(key)) return of_tuple(key);
  if (is_text(key)) return of_string(key);
  if (is_bytes(key)) return of_bytes(PyBytes_AsString(key.ptr()), PyBytes_Size(key.ptr()), of_octets);
  if (key.is_none()) return hash_combine(of_none, 0);
  if (is_float(key)) return of_float(key);
  if (is_set(key)) return of_set(key);
  if (is_integral(key)) return of_int(checked(PyNumber_Index(key.ptr())));
  return number_of(key);
}

std::uint64_t KeyHasher::hash(nb::handle key) {
  missing_ = false;
  const std::uint64_t result = of(key);
  return missing_ ? 0 : nonzero(result);
}

void KeyHasher::prune() {
  if (count_ <= max_kept_numbers) return;
  numbers_ = nb::dict();
  count_ = 0;
}

}  // namespace tesuji::python
