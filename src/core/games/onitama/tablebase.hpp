// A tablebase file: exact results of all positions with few pieces and one set of five cards.
//
// The table ignores ply and repetition limits; probe() accounts for them:
//
// - A drawn position is drawn with any limits.
// - With a ply limit, a win in n plies counts if n plies are left. Otherwise the loser holds out until the limit: a
// draw.
// - With a repetition limit N, the winner follows the table, whose distance falls with every move, so that no position
//   occurs twice from here on. An earlier position may recur once, which is harmless unless it has occurred N − 1
//   times: then the result is unknown.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/mapped_file.hpp"
#include "game/tablebase.hpp"
#include "games/onitama/onitama.hpp"
#include "games/onitama/tablebase_file.hpp"

namespace tesuji::onitama {

class OnitamaTablebase final : public Tablebase {
 public:
  // Throws std::system_error if the file cannot be read and std::invalid_argument if it is not a valid tablebase.
  // Verifies the checksum of small files only.
  explicit OnitamaTablebase(const std::string& path);

  std::optional<ExactResult> probe(const State& state) const override;

  const TablebaseHeader& header() const { return header_; }
  const TablebaseIndex& index() const { return index_; }
  // 0: draw; otherwise the plies to the end, odd if the side to move wins.
  int entry(std::uint64_t index) const { return entries_[index]; }

  // Whether the checksum matches. `poll` is called regularly and may throw.
  bool intact(const std::function<void()>& poll) const;

  enum class Outcome { win, loss, draw };
  // A uniform sample, without replacement and in random order, of positions with this outcome with exactly `men` pieces
  // (0: any number); fewer than `count` if there are not enough.
  std::vector<std::uint64_t> sample(Outcome outcome, std::uint64_t count, std::uint64_t seed, int men,
                                    const std::function<void()>& poll) const;

 private:
  MappedFile file_;
  TablebaseHeader header_;
  TablebaseIndex index_;
  const std::uint8_t* entries_;
};

}  // namespace tesuji::onitama
