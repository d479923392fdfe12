// The graph of a proof-number search: positions with the attacker to move, their attacks, and the replies to each.
//
//   attacker to move:  proof = min over the attacks,   disproof = Σ over the attacks
//   after an attack:   proof = Σ over the replies,     disproof = min over the replies
//
// (Allis, van der Meulen and van den Herik, Proof-number search, 1994.) A proof number is a lower bound on the
// positions that still have to be won for a proof, a disproof number likewise for a refutation. The same position is
// reached in many ways, and a sum would count it each time. So Σ is the maximum plus the number of the other open terms
// (Ueda et al., Weak proof-number search, 2008).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tesuji::gomoku {

using ProofNumber = std::uint32_t;
inline constexpr ProofNumber infinite = std::numeric_limits<ProofNumber>::max();

struct ProofNumbers {
  ProofNumber proof = 1;     // 0: proven
  ProofNumber disproof = 1;  // 0: refuted

  bool settled() const { return proof == 0 || disproof == 0; }
};
inline constexpr ProofNumbers proven_numbers{0, infinite};
inline constexpr ProofNumbers refuted_numbers{infinite, 0};

class ProofGraph {
 public:
  static constexpr std::int16_t unexpanded = -1;

  struct Node {
    ProofNumbers numbers;
    int first = 0;  // of its children: the attacks of a position, or the replies to an attack
    std::int16_t count = unexpanded;
    std::int16_t cell = 0;  // of an attack
  };
  struct Position : Node {  // the attacker is to move
    std::uint64_t hash = 0;
  };
  struct Reply {
    int position;
    std::int16_t cell;
  };

  Position& position(int index) { return positions_[static_cast<std::size_t>(index)]; }
  Node& attack(int index) { return attacks_[static_cast<std::size_t>(index)]; }
  Reply& reply(int index) { return replies_[static_cast<std::size_t>(index)]; }
  bool empty() const { return positions_.empty(); }

  // Buckets, too: bytes() must not depend on the searches before.
  void clear() {
    positions_.clear();
    attacks_.clear();
    replies_.clear();
    buckets_.clear();
  }
  // The position of this hash, which is new unless it has been found before.
  int find(std::uint64_t hash) {
    if (positions_.size() * 2 >= buckets_.size()) grow();
    std::size_t at = bucket_of(hash);
    for (; buckets_[at] != 0; at = (at + 1) & (buckets_.size() - 1)) {
      if (position(buckets_[at] - 1).hash == hash) return buckets_[at] - 1;
    }
    positions_.push_back({{}, hash});
    buckets_[at] = static_cast<int>(positions_.size());
    return buckets_[at] - 1;
  }
  // Both return the index.
  int add_attack(int cell, ProofNumber proof) {
    attacks_.push_back({{proof, 1}, 0, unexpanded, static_cast<std::int16_t>(cell)});
    return static_cast<int>(attacks_.size()) - 1;
  }
  int add_reply(int cell, int position) {
    replies_.push_back({position, static_cast<std::int16_t>(cell)});
    return static_cast<int>(replies_.size()) - 1;
  }
  int attacks() const { return static_cast<int>(attacks_.size()); }
  int replies() const { return static_cast<int>(replies_.size()); }
  std::size_t bytes() const {
    return positions_.size() * sizeof(Position) + attacks_.size() * sizeof(Node) + replies_.size() * sizeof(Reply) +
           buckets_.size() * sizeof(int);
  }

 private:
  std::size_t bucket_of(std::uint64_t hash) const { return hash >> 8 & (buckets_.size() - 1); }
  void grow() {
    buckets_.assign(std::max<std::size_t>(256, buckets_.size() * 2), 0);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      std::size_t at = bucket_of(positions_[i].hash);
      while (buckets_[at] != 0) at = (at + 1) & (buckets_.size() - 1);
      buckets_[at] = static_cast<int>(i) + 1;
    }
  }

  std::vector<Position> positions_;
  std::vector<Node> attacks_;
  std::vector<Reply> replies_;
  std::vector<int> buckets_;  // open addressing: index + 1, or 0
};

}  // namespace tesuji::gomoku
