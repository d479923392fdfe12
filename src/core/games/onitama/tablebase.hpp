// An opened tablebase: exact results of all positions with few men and one set of cards.
//
// The table knows no limits; a game may have some, and probe() reckons with them:
//
// - A draw of the table is a draw with any limits: either side can hold it for ever, so also until a limit ends the
// game.
// - With a ply limit a win in n plies is one where n plies are left. Otherwise the loser delays until the limit, and
// the
//   winner cannot lose meanwhile: a draw.
// - With a repetition limit N the winner follows the table: the plies to the end fall with every move, so no position
//   comes twice from here on. A position from before may come once more, which is harmless if that is less than the Nth
//   time for each of them. Where one has occurred N − 1 times already, the loser might steer there: nothing is certain.
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
  // std::system_error where the file cannot be read, std::invalid_argument where it is not a whole tablebase. The
  // checksum of a small one is checked at once.
  explicit OnitamaTablebase(const std::string& path);

  std::optional<Known> probe(const State& state) const override;

  const TablebaseHeader& header() const { return header_; }
  const TablebaseIndex& index() const { return index_; }
  // 0 a draw, otherwise the plies to the end; odd: the player to move wins.
  int entry(std::uint64_t index) const { return entries_[index]; }

  // Whether the positions fit their checksum. `poll` is called now and then and may throw.
  bool intact(const std::function<void()>& poll) const;

  enum class Kind { win, loss, draw };
  // Different positions of this kind, with exactly so many men (0: any number), each set of them equally likely; in
  // random order. Fewer where there are not so many.
  std::vector<std::uint64_t> sample(Kind kind, std::uint64_t count, std::uint64_t seed, int men,
                                    const std::function<void()>& poll) const;

 private:
  MappedFile file_;
  TablebaseHeader header_;
  TablebaseIndex index_;
  const std::uint8_t* entries_;
};

}  // namespace tesuji::onitama
