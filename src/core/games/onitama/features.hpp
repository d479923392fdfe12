// Onitama's features: numbers of a position from one player's side, whoever is to move.
//
// Moves are those of pieces by the cards that a player holds now, the same way by two cards counted twice; passes are
// not among them. Distances are Manhattan. A square table counts pieces by where they stand, mine less theirs, each
// seen from its owner's side with left and right alike: `students_wing_3` are those on the third row of the b and d
// files.
#pragma once

#include <array>

#include "game/features.hpp"

namespace tesuji::onitama {

inline constexpr std::array plain_feature_names{
    "material_diff_students",      // my students less theirs
    "my_master_alive",             // 1 or 0
    "opp_master_captured",         // 1 or 0
    "my_master_threats",           // their moves that capture my master
    "opp_master_threats",          // my moves that capture theirs
    "opp_shrine_threat",           // 1 where their master can go to my temple
    "my_legal_moves",              //
    "opp_legal_moves",             //
    "my_capture_moves",            // of any piece
    "opp_capture_moves",           //
    "my_master_temple_distance",   // from my master to their temple
    "opp_master_temple_distance",  //
    "my_student_progress",         // mean distance of my students to their temple; 0 without students
    "opp_student_progress",        //
    "central_control_diff",        // my pieces on the nine squares in the middle less theirs
    "master_escape_options",       // my master's moves to squares that none of their pieces reaches by its cards
    "opp_master_escape_options",   // the same of theirs
    "my_shrine_threat",            // 1 where my master can go to their temple
    "my_win_threat",               // 1 where I capture their master or reach their temple with one move
    "opp_win_threat",              // 1 where they would, were it their turn
    "my_hanging_students",         // which they can capture and I cannot take back, by the cards held now
    "opp_hanging_students",        //
};
inline constexpr int table_rows = 5;   // the player's own back row is the first
inline constexpr int table_files = 3;  // edge: a and e; wing: b and d; middle: c
inline constexpr int table_size = table_rows * table_files;

// In order: the plain ones, students by square, masters by square.
class OnitamaFeatures final : public Features {
 public:
  OnitamaFeatures();
  const std::vector<std::string>& names() const override { return names_; }
  int version() const override { return 2; }
  void extract(const State& state, int player, double* out) const override;

 private:
  std::vector<std::string> names_;
};

}  // namespace tesuji::onitama
