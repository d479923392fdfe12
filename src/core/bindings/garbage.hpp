// Garbage collection of bound classes that hold Python objects, so that cycles through them are freed.
//
// Such a class is bound with garbage_collected<Class>(). Its method references(references), or a function
// references(object, references) in this namespace, names every reference to a Python object that it owns, each once:
// the collector compares their number with the reference counts.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace tesuji::python {

namespace nb = nanobind;

// Visits or clears what a bound object holds.
class References {
 public:
  References(visitproc visit, void* argument) : visit_(visit), argument_(argument) {}
  References() = default;  // clears

  void operator()(nb::object& held) {
    if (visit_ == nullptr) {
      held = nb::none();
    } else {
      look_at(held);
    }
  }
  void operator()(nb::dict& held) {
    if (visit_ == nullptr) {
      PyDict_Clear(held.ptr());
    } else {
      look_at(held);
    }
  }
  void operator()(std::vector<nb::object>& held) {
    for (nb::object& each : held) (*this)(each);
  }
  // What a shared_ptr made from a Python object points to. It is not cleared: such an object has no references to
  // others but by a subclass in Python, which clears them.
  template <typename T>
  void shared(const T& held) {
    if (visit_ != nullptr) look_at(nb::find(held));
  }

  int result() const { return result_; }

 private:
  void look_at(nb::handle object) {
    if (result_ == 0 && object.is_valid()) result_ = visit_(object.ptr(), argument_);
  }

  visitproc visit_ = nullptr;
  void* argument_ = nullptr;
  int result_ = 0;
};

template <typename T>
void references(T& object, References& found) {
  object.references(found);
}

template <typename T>
int traverse(PyObject* self, visitproc visit, void* argument) {
  References found(visit, argument);
  // An instance owns a reference to its type. The constructor may not have run yet.
  const int type = visit(reinterpret_cast<PyObject*>(Py_TYPE(self)), argument);
  if (type != 0 || !nb::inst_ready(self)) return type;
  references(*nb::inst_ptr<T>(self), found);
  return found.result();
}

template <typename T>
int clear(PyObject* self) {
  References found;
  if (nb::inst_ready(self)) references(*nb::inst_ptr<T>(self), found);
  return 0;
}

template <typename T>
nb::type_slots garbage_collected() {
  static const PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&traverse<T>)},
                                      {Py_tp_clear, reinterpret_cast<void*>(&clear<T>)},
                                      {0, nullptr}};
  return {slots};
}

}  // namespace tesuji::python
