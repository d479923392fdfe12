#include "network/resnet.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tesuji::network {

namespace {

constexpr int kStatistics = 3;  // of a pooled channel: mean, scaled mean and maximum
// The scaled mean is mean × (width − 14)/10, with the same numbers as in training.
constexpr float kUsualWidth = 14;
constexpr float kWidthScale = 10;
constexpr int kHeadParts = 3;
constexpr int kMostChannels = 4096;
constexpr std::size_t kMostIdle = 16;  // workspaces, of some 1.5 MiB for 20×20 cells and 96 channels

// Mean, scaled mean and maximum of each channel over the cells.
void pooled_statistics(const float* cells, int channels, BoardSize size, float* out) {
  float* const mean = out;
  float* const scaled = out + channels;
  float* const largest = out + 2 * channels;
  std::fill_n(mean, channels, 0.0F);
  std::fill_n(largest, channels, 0.0F);
  for (int cell = 0; cell < cell_count(size); ++cell) {
    const float* const x = cells + at(cell, channels);
    for (int channel = 0; channel < channels; ++channel) {
      mean[channel] += x[channel];
      largest[channel] = x[channel] > largest[channel] ? x[channel] : largest[channel];
    }
  }
  const auto count = static_cast<float>(cell_count(size));
  const float scale = (std::sqrt(count) - kUsualWidth) / kWidthScale;
  for (int channel = 0; channel < channels; ++channel) {
    mean[channel] /= count;
    scaled[channel] = mean[channel] * scale;
  }
}

const ResNetShape& checked(const ResNetShape& shape) {
  const auto allowed = [](int number, int least) { return least <= number && number <= kMostChannels; };
  bool possible = allowed(shape.planes, 1) && allowed(shape.channels, 1) && allowed(shape.head, 1) &&
                  allowed(shape.policy_planes, 0) && shape.extras >= 0 && shape.policy_planes + shape.extras > 0 &&
                  shape.board.rows > 0 && shape.board.columns > 0;
  int pooled = 0;  // the same number wherever channels are pooled: these blocks share memory
  for (const int number : shape.pooled) {
    possible &= number == 0 || (0 < number && number < shape.channels && (pooled == 0 || number == pooled));
    pooled = std::max(pooled, number);
  }
  if (!possible) throw std::invalid_argument("there is no residual network of these sizes");
  return shape;
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
        heads(cells(padded(kHeadParts * network.shape_.head))),
        pooled(cells(std::max(network.shape_.channels, network.shape_.head))),
        dense(network.shape_.policy_planes > 0 ? 0 : cells(network.shape_.head)),
        statistics(at(kStatistics, std::max(network.shape_.channels, network.shape_.head))),
        bias(at(std::max(network.shape_.channels, 2 * network.shape_.head))),
        terms(at(padded(network.shape_.channels))),
        features(bias.size()),
        logits(at(network.shape_.policy_planes)),
        tile_(at(kPlaces, network.widest_)),
        rows_(at(kPlaces * kTiles, network.widest_)),
        scales_(at(kPlaces, kTiles)),
        products_(at(kPlaces * kTiles, network.widest_)),
        of_cell_(cells(network.shape_.planes)),
        count_(cells(1)),
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
  Numbers dense;  // the input of a dense policy: [channel][cell]
  Numbers statistics;
  Numbers bias;
  Numbers terms;
  Numbers features;
  Numbers logits;  // of a cell

 private:
  std::size_t frame(int channels) const { return at(framed_count(size), channels); }
  std::size_t cells(int channels) const { return at(cell_count(size), channels); }

  Numbers tile_;
  Buffer<std::uint8_t> rows_;
  Numbers scales_;
  Numbers products_;
  Buffer<Term> of_cell_;
  Buffer<std::int32_t> count_;
  Buffer<Term> of_output_;
};

ResNet::ResNet(const ResNetShape& shape, const Weights& weights, const Kernels& kernels)
    : shape_(checked(shape)),
      kernels_(kernels),
      widest_(padded(std::max(shape.channels, kHeadParts * shape.head))),
      heads_(1, shape.channels, kHeadParts * shape.head),
      heads_bias_(at(kHeadParts, shape.head)) {
  WeightReader reader(weights);
  const int channels = shape.channels, head = shape.head;
  stem_ = reader.planes_convolution("stem", shape.planes, channels);
  for (std::size_t number = 0; number < shape.pooled.size(); ++number) {
    const std::string name = "blocks." + std::to_string(number) + ".";
    const int pooled = shape.pooled[number];
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
      block.pooling = reader.linear(name + "pooling.linear", kStatistics * pooled, others, others);
    }
    blocks_.push_back(std::move(block));
  }
  affine_ = reader.affine("affine", channels);
  const char* const names[kHeadParts] = {"policy.cells", "policy.board", "value.cells"};
  for (int part = 0; part < kHeadParts; ++part) {
    const std::string name = names[part];
    const std::vector<float>& given = reader.values(name + ".weight", {at(head), at(channels), 1, 1});
    for (int i = 0; i < head; ++i) heads_.set(0, part * head + i, given.data() + at(i, channels));
    if (part == 0) continue;  // it has none
    const std::vector<float>& bias = reader.values(name + ".bias", {at(head)});
    std::copy(bias.begin(), bias.end(), heads_bias_.begin() + part * head);
  }
  policy_pooling_ = reader.linear("policy.pooling.linear", kStatistics * head, head, head);
  // The opponent's reply follows the policy, and is not needed.
  if (shape.policy_planes > 0) {
    policy_last_ = reader.linear("policy.last", head, 2 * shape.policy_planes, shape.policy_planes, true);
  }
  if (shape.extras > 0) {
    const int inputs = shape.policy_planes > 0 ? kStatistics * head : head * cell_count(shape.board);
    policy_extras_ = reader.linear("policy.extras", inputs, 2 * shape.extras, shape.extras);
  }
  value_pooling_ = reader.linear("value.pooling.linear", kStatistics * head, 2 * head, 2 * head);
  value_last_ = reader.linear("value.last", 2 * head, 2, 1);
  reader.check_that_all_are_used();
}

ResNet::~ResNet() = default;

std::size_t ResNet::policy_size(BoardSize board) const {
  return at(shape_.policy_planes, cell_count(board)) + at(shape_.extras);
}

void ResNet::evaluate(const float* planes, std::size_t count, BoardSize board, float* policy, float* value) const {
  const bool trained = board.rows == shape_.board.rows && board.columns == shape_.board.columns;
  if (shape_.policy_planes == 0 && !trained) {
    throw std::invalid_argument("this network is for boards of " + std::to_string(shape_.board.rows) + " × " +
                                std::to_string(shape_.board.columns) + " cells");
  }
  std::unique_ptr<Workspace> work = take_workspace(board);
  const std::size_t image = at(shape_.planes, cell_count(board));
  const std::size_t moves = policy_size(board);
  for (std::size_t i = 0; i < count; ++i) evaluate_one(planes + i * image, *work, policy + i * moves, value + i);
  give_back(std::move(work));
}

std::unique_ptr<ResNet::Workspace> ResNet::take_workspace(BoardSize board) const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(idle_.rbegin(), idle_.rend(), [&](const std::unique_ptr<Workspace>& each) {
      return each->size.rows == board.rows && each->size.columns == board.columns;
    });
    if (found != idle_.rend()) {
      std::unique_ptr<Workspace> taken = std::move(*found);
      idle_.erase(std::next(found).base());
      return taken;
    }
  }
  return std::make_unique<Workspace>(*this, board);
}

void ResNet::give_back(std::unique_ptr<Workspace> workspace) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.size() == kMostIdle) idle_.erase(idle_.begin());
  idle_.push_back(std::move(workspace));
}

void ResNet::evaluate_one(const float* planes, Workspace& work, float* policy, float* value) const {
  tower(planes, work);
  const int width = kHeadParts * shape_.head, stride = padded(width);
  kernels_.multiply(heads_.view(), work.size, work.first.data(), work.heads.data(), work.scratch());
  for (int cell = 0; cell < cell_count(work.size); ++cell) {
    float* const x = work.heads.data() + at(cell, stride);
    for (int i = 0; i < width; ++i) x[i] += heads_bias_[at(i)];
  }
  policy_head(work, policy);
  *value = value_head(work);
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
  for (int cell = 0; cell < cell_count(work.size); ++cell) {
    const float* const x = work.hidden.data() + at(cell, channels);
    float* const y = work.pooled.data() + at(cell, block.pooled);
    for (int i = 0; i < block.pooled; ++i) {
      y[i] = std::max(x[i] * block.pool_affine.factor[at(i)] + block.pool_affine.term[at(i)], 0.0F);
    }
  }
  pooled_statistics(work.pooled.data(), block.pooled, work.size, work.statistics.data());
  block.pooling(work.statistics.data(), work.bias.data());
  for (int i = 0; i < others; ++i) {
    work.terms[at(i)] = block.affine2.term[at(i)] + work.bias[at(i)] * block.affine2.factor[at(i)];
  }
  // The vectors behind the last cell's channels reach beyond them, where `hidden` has room and the factors are zero.
  kernels_.activate(work.size, work.hidden.data() + block.pooled, channels, block.conv2.view().inputs,
                    {block.affine2.factor.data(), work.terms.data()}, work.third.data());
}

const float* ResNet::head_of(const Workspace& work, int cell, int part) const {
  return work.heads.data() + at(cell, padded(kHeadParts * shape_.head)) + at(part, shape_.head);
}

// Leaves the statistics of a part of the heads in work.statistics.
void ResNet::pool_head(int part, Workspace& work) const {
  for (int cell = 0; cell < cell_count(work.size); ++cell) {
    const float* const x = head_of(work, cell, part);
    for (int i = 0; i < shape_.head; ++i) work.pooled[at(cell, shape_.head) + at(i)] = std::max(x[i], 0.0F);
  }
  pooled_statistics(work.pooled.data(), shape_.head, work.size, work.statistics.data());
}

void ResNet::policy_head(Workspace& work, float* policy) const {
  const int head = shape_.head, planes = shape_.policy_planes, count = cell_count(work.size);
  pool_head(1, work);
  policy_pooling_(work.statistics.data(), work.bias.data());
  for (int cell = 0; cell < count; ++cell) {
    const float* const x = head_of(work, cell, 0);
    float* const y = work.features.data();
    for (int i = 0; i < head; ++i) y[i] = std::max(x[i] + work.bias[at(i)], 0.0F);
    if (planes > 0) policy_last_(y, work.logits.data());
    for (int plane = 0; plane < planes; ++plane) policy[at(plane, count) + at(cell)] = work.logits[at(plane)];
    if (planes == 0) {
      for (int i = 0; i < head; ++i) work.dense[at(i, count) + at(cell)] = y[i];
    }
  }
  if (shape_.extras == 0) return;
  policy_extras_(planes == 0 ? work.dense.data() : work.statistics.data(), policy + at(planes, count));
}

float ResNet::value_head(Workspace& work) const {
  pool_head(2, work);
  value_pooling_(work.statistics.data(), work.features.data());
  for (int i = 0; i < 2 * shape_.head; ++i) work.features[at(i)] = std::max(work.features[at(i)], 0.0F);
  float value = 0;
  value_last_(work.features.data(), &value);
  return value;
}

}  // namespace tesuji::network
