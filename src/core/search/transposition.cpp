#include "search/transposition.hpp"

#include <bit>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tesuji {

namespace {

constexpr std::uint8_t certain_bit = 0x80;
// One search of age weighs as much as this many plies of depth.
constexpr int plies_of_age = 4;
constexpr std::size_t huge_page = std::size_t{2} << 20;

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
#ifdef __linux__
  // Huge pages avoid a TLB miss for nearly every lookup.
  if (alignment == huge_page) madvise(buckets_, this->bytes(), MADV_HUGEPAGE);
#endif
}

bool TranspositionTable::find(std::uint64_t hash, TableData& found) const {
  for (const Entry& entry : bucket(hash).entry) {
    if (!entry.is(hash) || entry.bound == 0) continue;
    found.score = entry.score;
    found.move = entry.move;
    found.depth = entry.depth;
    found.bound = static_cast<Bound>(entry.bound & ~certain_bit);
    found.certain = (entry.bound & certain_bit) != 0;
    return true;
  }
  return false;
}

int TranspositionTable::worth(const Entry& entry) const {
  if (entry.bound == 0) return -(1 << 20);
  return entry.depth - plies_of_age * static_cast<std::uint8_t>(age_ - entry.age);
}

void TranspositionTable::store(std::uint64_t hash, const TableData& known) {
  Entry* place = nullptr;
  for (Entry& entry : bucket(hash).entry) {
    if (entry.is(hash)) {
      place = &entry;
      break;
    }
    if (place == nullptr || worth(entry) < worth(*place)) place = &entry;
  }
  // A bound without a move keeps the stored move.
  const bool keeps_move = known.move == no_move && place->is(hash) && place->bound != 0;
  place->key_low = static_cast<std::uint32_t>(hash);
  place->key_high = static_cast<std::uint32_t>(hash >> 32);
  place->score = known.score;
  if (!keeps_move) place->move = known.move;
  place->depth = static_cast<std::uint16_t>(known.depth);
  place->bound = static_cast<std::uint8_t>(static_cast<unsigned>(known.bound) | (known.certain ? certain_bit : 0U));
  place->age = age_;
}

}  // namespace tesuji
