#include "games/onitama/tablebase.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <typeinfo>
#include <utility>

namespace tesuji::onitama {

namespace {

constexpr int always_checked_men = 4;

bool has_outcome(std::uint8_t entry, OnitamaTablebase::Outcome outcome) {
  switch (outcome) {
    case OnitamaTablebase::Outcome::win:
      return entry % 2 == 1;
    case OnitamaTablebase::Outcome::loss:
      return entry % 2 == 0 && entry != 0;
    case OnitamaTablebase::Outcome::draw:
      break;
  }
  return entry == 0;
}

// A range of a block's positions.
struct Range {
  int begin;
  int end;
};

// The ranges of a block with exactly `men` pieces; 0: all.
std::vector<Range> ranges_of(const TablebaseIndex& index, int men) {
  if (men == 0) return {{0, index.ways()}};
  std::vector<Range> found;
  constexpr int free = squares - 2;
  for (int set = 0; set < count_sets(free, index.students()); ++set) {
    const int mine = set == 0 ? 0 : set < count_sets(free, 1) ? 1 : 2;
    const int theirs = men - 2 - mine;
    if (theirs < 0 || theirs > index.students()) continue;
    const int start = index.row_start(set);
    found.push_back(
        {start + (theirs == 0 ? 0 : count_sets(free - mine, theirs - 1)), start + count_sets(free - mine, theirs)});
  }
  return found;
}

// A uniform sample of distinct numbers below `end` (Floyd's algorithm); all of them if there are fewer than `count`.
std::set<std::uint64_t> choose(std::uint64_t count, std::uint64_t end, Random& random) {
  std::set<std::uint64_t> chosen;
  for (std::uint64_t next = end - std::min(count, end); next < end; ++next) {
    if (!chosen.insert(random.next() % (next + 1)).second) chosen.insert(next);
  }
  return chosen;
}

}  // namespace

OnitamaTablebase::OnitamaTablebase(const std::string& path)
    : file_(path),
      header_(read_header(file_.data(), file_.size())),
      index_(header_.cards, header_.students()),
      entries_(file_.data() + tablebase_header_size) {
  if (header_.men <= always_checked_men && !intact([] {})) {
    throw std::invalid_argument("it is damaged: checksum mismatch");
  }
}

std::optional<ExactResult> OnitamaTablebase::probe(const State& state) const {
  if (typeid(state) != typeid(OnitamaState)) return {};
  const auto& onitama = static_cast<const OnitamaState&>(state);
  const std::optional<std::uint64_t> index = index_.find(onitama.position());
  if (!index || onitama.over()) return {};
  const int plies = entry(*index);
  if (plies == 0) return ExactResult{0.5, 0};
  const Limits& limits = onitama.limits();
  if (limits.plies > 0 && onitama.ply() + plies > limits.plies) return ExactResult{0.5, 0};
  if (limits.occurrences > 0 && onitama.max_occurrences() > limits.occurrences - 2) return {};
  return ExactResult{plies % 2 == 1 ? 1.0 : 0.0, plies};
}

bool OnitamaTablebase::intact(const std::function<void()>& poll) const {
  return checksum_of(entries_, header_.states, poll) == header_.checksum;
}

// Two passes: counts the matches per block, then locates the chosen ones.
std::vector<std::uint64_t> OnitamaTablebase::sample(Outcome outcome, std::uint64_t count, std::uint64_t seed, int men,
                                                    const std::function<void()>& poll) const {
  const std::vector<Range> ranges = ranges_of(index_, men);
  const auto ways = static_cast<std::uint64_t>(index_.ways());
  const std::uint64_t blocks = header_.states / ways;
  std::vector<std::uint64_t> before{0};  // matches in earlier blocks
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint8_t* const entries = entries_ + block * ways;
    std::uint64_t found = 0;
    for (const Range& range : ranges) {
      found += static_cast<std::uint64_t>(
          std::count_if(entries + range.begin, entries + range.end,
                        [outcome](std::uint8_t entry) { return has_outcome(entry, outcome); }));
    }
    before.push_back(before.back() + found);
    poll();
  }
  Random random(seed);
  const std::set<std::uint64_t> wanted = choose(count, before.back(), random);
  std::vector<std::uint64_t> indices;
  for (auto next = wanted.begin(); next != wanted.end();) {
    const auto block =
        static_cast<std::uint64_t>(std::upper_bound(before.begin(), before.end(), *next) - before.begin() - 1);
    std::uint64_t number = before[block];
    for (const Range& range : ranges) {
      for (std::uint64_t at = block * ways + static_cast<std::uint64_t>(range.begin);
           at < block * ways + static_cast<std::uint64_t>(range.end); ++at) {
        if (next == wanted.end() || !has_outcome(entries_[at], outcome)) continue;
        if (number++ != *next) continue;
        indices.push_back(at);
        ++next;
      }
    }
    poll();
  }
  for (std::size_t i = indices.size(); i > 1; --i) std::swap(indices[i - 1], indices[random.next() % i]);
  return indices;
}

}  // namespace tesuji::onitama
