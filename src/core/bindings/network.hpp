// Calling a Python network: a function from a batch of planes to policy and value logits.
#pragma once

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/errors.hpp"
#include "bindings/garbage.hpp"
#include "game/planes.hpp"

namespace tesuji::python {

// One batch: the network's input array and its latest output.
class NetworkBatch {
 public:
  using Images = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

  NetworkBatch(const Planes& planes, std::size_t rows)
      : shape_{rows, planes.names().size(), static_cast<std::size_t>(planes.rows()),
               static_cast<std::size_t>(planes.columns())},
        policy_size_(static_cast<std::size_t>(planes.policy_size())) {
    const std::size_t size = rows * planes.size();
    std::unique_ptr<float[]> zeros(new float[size]());
    use(nb::cast(as_array(std::move(zeros), {shape_[0], shape_[1], shape_[2], shape_[3]})));
  }

  // Replaces the input array, for example by pinned memory.
  void use(nb::object array) {
    auto images = nb::cast<Images>(array);
    for (std::size_t i = 0; i < 4; ++i) {
      if (images.shape(i) != shape_[i]) fail("the array for planes must have shape " + shape_text());
    }
    array_ = std::move(array);
    images_ = std::move(images);
  }
  float* planes() const { return images_.data(); }
  void references(References& found) { found(array_); }

  // Evaluates the first `rows` positions. The GIL must be held.
  void evaluate(const nb::object& network, std::size_t rows) {
    const nb::object seen = rows == shape_[0] ? array_ : nb::object(array_[nb::slice(rows)]);
    const nb::object answer = network(seen);
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2) {
      fail("a network must return two arrays, policy and value, not " + text(answer));
    }
    if (!nb::try_cast(nb::object(answer[0]), policy_array_) || policy_array_.shape(0) != rows ||
        policy_array_.shape(1) != policy_size_) {
      fail("a network's policy must be a float32 array of " + std::to_string(rows) + " × " +
           std::to_string(policy_size_) + " numbers");
    }
    if (!nb::try_cast(nb::object(answer[1]), value_array_) || value_array_.shape(0) != rows) {
      fail("a network's value must be a float32 array of " + std::to_string(rows) + " numbers");
    }
  }
  const float* policy() const { return policy_array_.data(); }
  const float* value() const { return value_array_.data(); }

 private:
  std::string shape_text() const {
    std::string text;
    for (const std::size_t size : shape_) text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
  }

  std::array<std::size_t, 4> shape_;
  std::size_t policy_size_;
  nb::object array_;
  Images images_;
  Input<float, 2> policy_array_;
  Input<float> value_array_;
};

}  // namespace tesuji::python
