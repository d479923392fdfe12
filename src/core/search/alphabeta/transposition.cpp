#include "search/alphabeta/transposition.hpp"

#include <bit>
#include <cerrno>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#ifndef MADV_COLLAPSE  // older C libraries
#define MADV_COLLAPSE 25
#endif
#endif

#include "base/atomics.hpp"

namespace tesuji {

namespace {

constexpr std::uint8_t certain_bit = 0x80;
// One search of age weighs as much as this many plies of depth.
constexpr int plies_of_age = 4;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// The part of the time searched that moving the table to huge pages may take, and about what one page takes.
constexpr int inverse_paging_share = 10;
constexpr auto page_time = std::chrono::milliseconds(1);

}  // namespace

TranspositionTable::TranspositionTable(std::size_t bytes) {
  const std::size_t count = bytes / sizeof(Bucket);
  bits_ = count < 2 ? 1 : static_cast<int>(std::bit_width(count)) - 1;
  // calloc returns untouched zero pages, so that a large table does not slow down a short search.
  const std::size_t alignment = this->bytes() < huge_page ? alignof(Bucket) : huge_page;
  std::size_t space = this->bytes() + alignment;
  memory_.reset(std::calloc(space, 1));
  if (memory_ == nullptr) throw std::bad_alloc();
  void* start = memory_.get();
  buckets_ = static_cast<Bucket*>(std::align(alignment, this->bytes(), start, space));
}

// The first thousand positions touch all parts of a table of 64 MiB, and zeroing as many huge pages at their first use
// takes up to 0.1 s. So the table begins with small pages.
void TranspositionTable::use_huge_pages([[maybe_unused]] Clock::duration searched) {
#ifdef __linux__
  if (huge_bytes_ + huge_page > bytes() || (paging_ + page_time) * inverse_paging_share > searched) return;
  const auto begin = Clock::now();
  char* const page = reinterpret_cast<char*>(buckets_) + huge_bytes_;
  // Only what has been read or written can be moved.
  static_cast<void>(buckets_[huge_bytes_ / sizeof(Bucket)].entry[0].load());
  huge_bytes_ += huge_page;
  if (madvise(page, huge_page, MADV_COLLAPSE) != 0 && errno == EINVAL) {  // before Linux 6.1: in the background
    madvise(buckets_, bytes(), MADV_HUGEPAGE);
    huge_bytes_ = bytes();
  }
  paging_ += Clock::now() - begin;
#endif
}

TranspositionTable::Packed TranspositionTable::Entry::load() const {
  return {score_.load(relaxed), move_.load(relaxed), rest_.load(relaxed)};
}

bool TranspositionTable::Entry::is(std::uint64_t hash, Packed& data) const {
  if (key_low_.load(relaxed) != static_cast<std::uint32_t>(hash)) return false;
  data = load();
  return (key_high_.load(relaxed) ^ data.checksum()) == static_cast<std::uint32_t>(hash >> 32);
}

void TranspositionTable::Entry::write(std::uint64_t hash, const Packed& data) {
  key_low_.store(static_cast<std::uint32_t>(hash), relaxed);
  key_high_.store(static_cast<std::uint32_t>(hash >> 32) ^ data.checksum(), relaxed);
  score_.store(data.score, relaxed);
  move_.store(data.move, relaxed);
  rest_.store(data.rest, relaxed);
}

bool TranspositionTable::find(std::uint64_t hash, TableData& found) const {
  for (const Entry& entry : bucket(hash).entry) {
    Packed data;
    if (!entry.is(hash, data) || data.bound() == 0) continue;
    found.score = static_cast<Score>(data.score);
    found.move = data.move;
    found.depth = data.depth();
    found.bound = static_cast<Bound>(data.bound() & ~certain_bit);
    found.certain = (data.bound() & certain_bit) != 0;
    return true;
  }
  return false;
}

int TranspositionTable::worth(const Packed& data) const {
  if (data.bound() == 0) return -(1 << 20);
  return data.depth() - plies_of_age * static_cast<std::uint8_t>(age_ - data.age());
}

void TranspositionTable::store(std::uint64_t hash, const TableData& known) {
  Entry* place = nullptr;
  int least = 0;
  Move move = known.move;
  for (Entry& entry : bucket(hash).entry) {
    Packed data;
    if (entry.is(hash, data)) {
      place = &entry;
      // A bound without a move keeps the stored move.
      if (move == no_move && data.bound() != 0) move = data.move;
      break;
    }
    const int worth_of_entry = worth(entry.load());
    if (place != nullptr && worth_of_entry >= least) continue;
    place = &entry;
    least = worth_of_entry;
  }
  const std::uint32_t bound = static_cast<std::uint32_t>(known.bound) | (known.certain ? certain_bit : 0U);
  const std::uint32_t depth = static_cast<std::uint16_t>(known.depth);
  place->write(hash, {static_cast<std::uint32_t>(known.score), move, depth << 16 | std::uint32_t{age_} << 8 | bound});
}

}  // namespace tesuji
