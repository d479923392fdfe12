#include "network/resnet.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace tesuji::network {

namespace {

constexpr int kStatistics = 3;  // of a pooled channel: mean, scaled mean and maximum
// The scaled mean is mean × (width − 14)/10, with the same numbers as in training.
constexpr float kUsualWidth = 14;
constexpr float kWidthScale = 10;

// G g of three numbers that are `step` apart: their polynomial at each point, divided by what Bᵀ multiplies it by.
void weight_side(const double* g, int step, double* to, int to_step) {
  constexpr double inner = kInner, outer = kOuter;
  constexpr double inner2 = kInner2, outer2 = kOuter2;
  const double even_inner = g[0] + inner2 * g[2 * step], odd_inner = inner * g[step];
  const double even_outer = g[0] + outer2 * g[2 * step], odd_outer = outer * g[step];
  to[0] = g[0] / (inner2 * outer2);
  to[to_step] = (even_inner + odd_inner) / (2 * inner2 * (inner2 - outer2));
  to[2 * to_step] = (even_inner - odd_inner) / (2 * inner2 * (inner2 - outer2));
  to[3 * to_step] = (even_outer + odd_outer) / (2 * outer2 * (outer2 - inner2));
  to[4 * to_step] = (even_outer - odd_outer) / (2 * outer2 * (outer2 - inner2));
  to[5 * to_step] = g[2 * step];
}

// U = G g Gᵀ for each pair of channels of a 3×3 convolution, weights [output][input][3][3].
Matrices winograd(const std::vector<float>& weights, int inputs, int outputs) {
  Matrices matrices(kPlaces, inputs, outputs);
  std::vector<float> rows(at(kPlaces, inputs));
  for (int output = 0; output < outputs; ++output) {
    for (int input = 0; input < inputs; ++input) {
      const float* const given = weights.data() + at(output, inputs) * 9 + at(input, 9);
      double g[9], half[kTileInputs * 3], places[kPlaces];
      std::copy(given, given + 9, g);
      for (int column = 0; column < 3; ++column) weight_side(g + column, 3, half + column, 3);
      for (int row = 0; row < kTileInputs; ++row) weight_side(half + row * 3, 1, places + row * kTileInputs, 1);
      for (int place = 0; place < kPlaces; ++place) {
        rows[at(place, inputs) + at(input)] = static_cast<float>(places[place]);
      }
    }
    for (int place = 0; place < kPlaces; ++place) matrices.set(place, output, rows.data() + at(place, inputs));
  }
  return matrices;
}

// Mean, scaled mean and maximum of each channel over the cells; cells are `stride` floats apart.
void statistics(const float* cells, int stride, int channels, BoardSize size, float* out) {
  float* const mean = out;
  float* const scaled = out + channels;
  float* const largest = out + 2 * channels;
  std::fill_n(mean, channels, 0.0F);
  std::fill_n(largest, channels, 0.0F);
  for (int cell = 0; cell < size.cells(); ++cell) {
    const float* const x = cells + at(cell, stride);
    for (int channel = 0; channel < channels; ++channel) {
      mean[channel] += x[channel];
      largest[channel] = x[channel] > largest[channel] ? x[channel] : largest[channel];
    }
  }
  const auto count = static_cast<float>(size.cells());
  const float scale = (std::sqrt(count) - kUsualWidth) / kWidthScale;
  for (int channel = 0; channel < channels; ++channel) {
    mean[channel] /= count;
    scaled[channel] = mean[channel] * scale;
  }
}

}  // namespace

// Memory for the evaluation of one position at a time, on boards of one size.
class ResNet::Workspace {
 public:
  Workspace(const ResNet& network, BoardSize board)
      : size(board),
        first(frame(padded(network.shape_.channels))),
        second(frame(padded(network.shape_.channels))),
        sums(cells(padded(network.shape_.channels))),
        hidden(cells(padded(network.shape_.channels)) + kLanes),
        heads(cells(padded(3 * network.shape_.head))),
        pooled(cells(std::max(network.shape_.channels, network.shape_.head))),
        statistics(at(kStatistics, std::max(network.shape_.channels, network.shape_.head))),
        bias(at(std::max(network.shape_.channels, 2 * network.shape_.head))),
        features(bias.size()),
        tile_(at(kPlaces, network.widest_)),
        rows_(at(kPlaces * kTiles, network.widest_)),
        scales_(at(kPlaces, kTiles)),
        products_(at(kPlaces * kTiles, network.widest_)),
        of_cell_(at(size.cells(), network.shape_.planes)),
        count_(at(size.cells())),
        of_output_(at(9, network.shape_.planes)) {
    for (const Block& block : network.blocks_) {
      if (block.pooled > 0) third = Numbers(frame(block.conv2.view().inputs));
    }
  }

  Scratch scratch() { return {tile_.data(), rows_.data(), scales_.data(), products_.data()}; }
  PlanesScratch planes_scratch() { return {of_cell_.data(), count_.data(), of_output_.data()}; }

  const BoardSize size;
  Numbers first;   // framed: the input of a block's first convolution
  Numbers second;  // framed: that of its second
  Numbers third;   // framed: the same for a block with pooling, which has fewer channels
  Numbers sums;    // the tower
  Numbers hidden;  // what the first convolution of a block with pooling returns
  Numbers heads;
  Numbers pooled;
  Numbers statistics;
  Numbers bias;
  Numbers features;

 private:
  std::size_t frame(int channels) const { return at(size.framed_cells(), channels); }
  std::size_t cells(int channels) const { return at(size.cells(), channels); }

  Numbers tile_;
  Buffer<std::uint8_t> rows_;
  Numbers scales_;
  Numbers products_;
  Buffer<Term> of_cell_;
  Buffer<std::int32_t> count_;
  Buffer<Term> of_output_;
};

// Looks up weights and gives them the form in which they are used.
class ResNet::Reader {
 public:
  explicit Reader(const Weights& weights) : weights_(weights) {}

  const std::vector<float>& values(const std::string& name, std::size_t size) {
    const auto found = weights_.find(name);
    if (found == weights_.end() || found->second.size() != size) refuse(name);
    used_.insert(name);
    return found->second;
  }
  // 0 if there are none of that name.
  int count(const std::string& name) const {
    const auto found = weights_.find(name);
    return found == weights_.end() ? 0 : static_cast<int>(found->second.size());
  }
  void check_that_all_are_used() const {
    for (const auto& [name, values] : weights_) {
      if (used_.count(name) == 0) refuse(name);
    }
  }

  Matrices convolution(const std::string& name, int inputs, int outputs) {
    return winograd(values(name + ".weight", at(inputs, outputs) * 9), inputs, outputs);
  }

  // [plane][row][column][output]
  Numbers planes_convolution(const std::string& name, int planes, int outputs) {
    const std::vector<float>& given = values(name + ".weight", at(planes, outputs) * 9);
    Numbers found(at(planes, 9) * at(padded(outputs)));
    for (int output = 0; output < outputs; ++output) {
      for (int i = 0; i < planes * 9; ++i)
        found[at(i, padded(outputs)) + at(output)] = given[at(output, planes * 9) + at(i)];
    }
    return found;
  }

  Affine affine(const std::string& name, int channels) {
    Affine found{values(name + ".factor", at(channels)), values(name + ".term", at(channels))};
    found.factor.resize(at(padded(channels)));
    found.term.resize(at(padded(channels)));
    return found;
  }

  // The first `used` of `outputs`.
  Linear linear(const std::string& name, int inputs, int outputs, int used) {
    const std::vector<float>& given = values(name + ".weight", at(inputs, outputs));
    const std::vector<float>& bias = values(name + ".bias", at(outputs));
    Linear found{inputs, used, std::vector<float>(at(inputs, used)), {bias.begin(), bias.begin() + used}};
    for (int output = 0; output < used; ++output) {
      for (int input = 0; input < inputs; ++input) {
        found.weights[at(input, used) + at(output)] = given[at(output, inputs) + at(input)];
      }
    }
    return found;
  }
  Linear linear(const std::string& name, int inputs, int outputs) { return linear(name, inputs, outputs, outputs); }

  [[noreturn]] static void refuse(const std::string& name) {
    throw std::invalid_argument("the weights do not fit this network: " + name + " differs");
  }

 private:
  const Weights& weights_;
  std::set<std::string> used_;
};

void ResNet::Linear::operator()(const float* x, float* y) const {
  std::copy(bias.begin(), bias.end(), y);
  for (int input = 0; input < inputs; ++input) {
    const float* const row = weights.data() + at(input, outputs);
    for (int output = 0; output < outputs; ++output) y[output] += x[input] * row[output];
  }
}

ResNet::ResNet(const ResNetShape& shape, const Weights& weights, const Kernels& kernels)
    : shape_(shape), kernels_(kernels) {
  Reader reader(weights);
  const int channels = shape.channels, head = shape.head;
  stem_ = reader.planes_convolution("stem", shape.planes, channels);
  for (int number = 0; number < shape.blocks; ++number) {
    const std::string name = "blocks." + std::to_string(number) + ".";
    const int pooled = reader.count(name + "pool_affine.factor");
    if (pooled >= channels) Reader::refuse(name + "pool_affine.factor");
    const int others = channels - pooled;
    Block block{reader.affine(name + "affine1", channels),
                reader.convolution(name + "conv1", channels, channels),
                pooled,
                {},
                {},
                reader.affine(name + "affine2", others),
                reader.convolution(name + "conv2", others, channels)};
    if (pooled > 0) {
      block.pool_affine = reader.affine(name + "pool_affine", pooled);
      block.pooling.push_back(reader.linear(name + "pooling.linear", kStatistics * pooled, others));
    }
    blocks_.push_back(std::move(block));
  }
  affine_ = reader.affine("affine", channels);
  Matrices heads(1, channels, 3 * head);
  const char* const names[] = {"policy.cells", "policy.board", "value.cells"};
  heads_bias_.assign(at(3, head), 0.0F);
  for (int part = 0; part < 3; ++part) {
    const std::string name = names[part];
    const std::vector<float>& given = reader.values(name + ".weight", at(channels, head));
    for (int i = 0; i < head; ++i) heads.set(0, part * head + i, given.data() + at(i, channels));
    if (part == 0) continue;  // it has none
    const std::vector<float>& bias = reader.values(name + ".bias", at(head));
    std::copy(bias.begin(), bias.end(), heads_bias_.begin() + part * head);
  }
  heads_.push_back(std::move(heads));
  policy_pooling_ = reader.linear("policy.pooling.linear", kStatistics * head, head);
  if (shape.policy_planes > 0) {  // followed by the opponent's reply, which is not needed
    policy_last_ = reader.linear("policy.last", head, 2 * shape.policy_planes, shape.policy_planes);
  }
  if (shape.extras > 0) {
    const int inputs = shape.policy_planes > 0 ? kStatistics * head : head * shape.cells;
    policy_extras_ = reader.linear("policy.extras", inputs, 2 * shape.extras, shape.extras);
  }
  value_pooling_ = reader.linear("value.pooling.linear", kStatistics * head, 2 * head);
  value_last_ = reader.linear("value.last", 2 * head, 2, 1);
  reader.check_that_all_are_used();
  widest_ = padded(std::max(channels, 3 * head));
}

ResNet::~ResNet() = default;

std::size_t ResNet::policy_size(int rows, int columns) const {
  return at(shape_.policy_planes, rows * columns) + at(shape_.extras);
}

void ResNet::evaluate(const float* planes, std::size_t count, int rows, int columns, float* policy,
                      float* value) const {
  if (shape_.policy_planes == 0 && rows * columns != shape_.cells) {
    throw std::invalid_argument("the network is for boards of " + std::to_string(shape_.cells) + " cells");
  }
  std::unique_ptr<Workspace> work;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(idle_.begin(), idle_.end(), [&](const std::unique_ptr<Workspace>& each) {
      return each->size.rows == rows && each->size.columns == columns;
    });
    if (found != idle_.end()) {
      work = std::move(*found);
      idle_.erase(found);
    }
  }
  if (work == nullptr) work = std::make_unique<Workspace>(*this, BoardSize{rows, columns});
  const std::size_t image = at(shape_.planes, rows * columns);
  const std::size_t moves = policy_size(rows, columns);
  for (std::size_t i = 0; i < count; ++i) evaluate_one(planes + i * image, *work, policy + i * moves, value + i);
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(work));
}

void ResNet::evaluate_one(const float* planes, Workspace& work, float* policy, float* value) const {
  const BoardSize size = work.size;
  tower(planes, work);
  float* const heads = work.heads.data();
  const int stride = padded(3 * shape_.head);
  kernels_.multiply(heads_.front().view(), size, work.first.data(), heads, work.scratch());
  for (int cell = 0; cell < size.cells(); ++cell) {
    float* const x = heads + at(cell, stride);
    for (int i = 0; i < 3 * shape_.head; ++i) x[i] += heads_bias_[at(i)];
  }
  policy_head(heads, work, policy);
  *value = value_head(heads, work);
}

// Leaves the input of the heads in work.first.
void ResNet::tower(const float* planes, Workspace& work) const {
  const BoardSize size = work.size;
  const auto input_of = [&](std::size_t block) {
    return block < blocks_.size() ? blocks_[block].affine1.view() : affine_.view();
  };
  kernels_.convolve_planes({shape_.planes, padded(shape_.channels), stem_.data()}, size, planes,
                           {work.sums.data(), work.first.data(), input_of(0)}, work.planes_scratch());
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    const Block& block = blocks_[number];
    const Target result{work.sums.data(), work.first.data(), input_of(number + 1)};
    if (block.pooled > 0) {
      kernels_.convolve(block.conv1.view(), size, work.first.data(), {work.hidden.data(), nullptr, {}}, work.scratch());
      pool(block, work);
      kernels_.convolve(block.conv2.view(), size, work.third.data(), result, work.scratch());
    } else {
      kernels_.convolve(block.conv1.view(), size, work.first.data(),
                        {nullptr, work.second.data(), block.affine2.view()}, work.scratch());
      kernels_.convolve(block.conv2.view(), size, work.second.data(), result, work.scratch());
    }
  }
}

// From work.hidden to work.third: the pooled channels become a bias b of the others, relu(f·(h + b) + t).
void ResNet::pool(const Block& block, Workspace& work) const {
  const int channels = padded(shape_.channels), others = shape_.channels - block.pooled;
  for (int cell = 0; cell < work.size.cells(); ++cell) {
    const float* const x = work.hidden.data() + at(cell, channels);
    float* const y = work.pooled.data() + at(cell, block.pooled);
    for (int i = 0; i < block.pooled; ++i) {
      const float sum = x[i] * block.pool_affine.factor[at(i)] + block.pool_affine.term[at(i)];
      y[i] = sum > 0 ? sum : 0;
    }
  }
  statistics(work.pooled.data(), block.pooled, block.pooled, work.size, work.statistics.data());
  block.pooling.front()(work.statistics.data(), work.bias.data());
  std::vector<float> terms = block.affine2.term;
  for (int i = 0; i < others; ++i) terms[at(i)] += work.bias[at(i)] * block.affine2.factor[at(i)];
  kernels_.activate(work.size, work.hidden.data() + block.pooled, channels, block.conv2.view().inputs,
                    {block.affine2.factor.data(), terms.data()}, work.third.data());
}

void ResNet::policy_head(const float* heads, Workspace& work, float* policy) const {
  const int head = shape_.head, stride = padded(3 * head), count = work.size.cells();
  for (int cell = 0; cell < count; ++cell) {
    const float* const x = heads + at(cell, stride) + at(head);
    for (int i = 0; i < head; ++i) work.pooled[at(cell, head) + at(i)] = std::max(x[i], 0.0F);
  }
  statistics(work.pooled.data(), head, head, work.size, work.statistics.data());
  policy_pooling_(work.statistics.data(), work.bias.data());
  if (shape_.policy_planes > 0 && shape_.extras > 0) {
    policy_extras_(work.statistics.data(), policy + at(shape_.policy_planes, count));
  }
  std::vector<float> dense(shape_.policy_planes > 0 ? 0 : at(head, count));
  for (int cell = 0; cell < count; ++cell) {
    const float* const x = heads + at(cell, stride);
    float* const y = work.features.data();
    for (int i = 0; i < head; ++i) y[i] = std::max(x[i] + work.bias[at(i)], 0.0F);
    for (int plane = 0; plane < shape_.policy_planes; ++plane) {
      float logit = policy_last_.bias[at(plane)];
      for (int i = 0; i < head; ++i) logit += y[i] * policy_last_.weights[at(i, shape_.policy_planes) + at(plane)];
      policy[at(plane, count) + at(cell)] = logit;
    }
    if (!dense.empty()) {
      for (int i = 0; i < head; ++i) dense[at(i, count) + at(cell)] = y[i];
    }
  }
  if (!dense.empty()) policy_extras_(dense.data(), policy);
}

float ResNet::value_head(const float* heads, Workspace& work) const {
  const int head = shape_.head, stride = padded(3 * head);
  for (int cell = 0; cell < work.size.cells(); ++cell) {
    const float* const x = heads + at(cell, stride) + at(2, head);
    for (int i = 0; i < head; ++i) work.pooled[at(cell, head) + at(i)] = std::max(x[i], 0.0F);
  }
  statistics(work.pooled.data(), head, head, work.size, work.statistics.data());
  value_pooling_(work.statistics.data(), work.features.data());
  for (int i = 0; i < 2 * head; ++i) work.features[at(i)] = std::max(work.features[at(i)], 0.0F);
  float value = 0;
  value_last_(work.features.data(), &value);
  return value;
}

}  // namespace tesuji::network
