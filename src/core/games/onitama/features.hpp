// Onitama's features, from one player's point of view, whoever is to move.
//
// Moves are piece moves by the cards held now (one move by two cards counts twice), without passes. Distances are
// Manhattan. Piece-square tables count own minus enemy pieces, each from its owner's point of view and symmetric in
// left and right: `students_wing_3` counts students on the third row of the b and d files.
#pragma once

#include <array>

#include "game/features.hpp"

namespace tesuji::onitama {

inline constexpr std::array plain_feature_names{
    "material_diff_students",      // own minus enemy students
    "my_master_alive",             // 1 or 0
    "opp_master_captured",         // 1 or 0
    "my_master_threats",           // their moves that capture my master
    "opp_master_threats",          // my moves that capture theirs
    "opp_shrine_threat",           // 1 if their master can reach my temple
    "my_legal_moves",              //
    "opp_legal_moves",             //
    "my_capture_moves",            // of any piece
    "opp_capture_moves",           //
    "my_master_temple_distance",   // from my master to their temple
    "opp_master_temple_distance",  //
    "my_student_progress",         // mean distance of my students to their temple; 0 without students
    "opp_student_progress",        //
    "central_control_diff",        // own minus enemy pieces on the nine central squares
    "master_escape_options",       // my master's moves to squares they do not attack
    "opp_master_escape_options",   // likewise
    "my_shrine_threat",            // 1 if my master can reach their temple
    "my_win_threat",               // 1 if I can win by one move
    "opp_win_threat",              // 1 if they could, were it their turn
    "my_hanging_students",         // attacked and not defended, by the cards held now
    "opp_hanging_students",        //
};
inline constexpr int table_rows = 5;   // the player's own back row is the first
inline constexpr int table_files = 3;  // edge: a and e; wing: b and d; middle: c
inline constexpr int table_size = table_rows * table_files;

// In order: plain features, students by square, masters by square.
class OnitamaFeatures final : public Features {
 public:
  OnitamaFeatures();
  int version() const override { return 2; }
  void extract(const State& state, int player, double* out) const override;

  // onitama/codes.cpp: every piece on its square, every card with its holder, and all pairs of both.
  Code codes() const override;
  std::string code_name(Code code) const override;
  std::string code_group(Code code) const override;
  void extract_codes(const State& state, int player, std::vector<Code>& codes) const override;
  std::int64_t sum_codes(const State& state, int player,
                         const std::shared_ptr<const CodeWeights>& weights) const override;
};

}  // namespace tesuji::onitama
