#include "games/onitama/tablebase_file.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/checksum.hpp"

namespace tesuji::onitama {

namespace {

constexpr std::array<std::uint8_t, 8> magic{'O', 'n', 'i', 't', 'a', 'm', 'a', 26};
constexpr std::uint64_t version = 1;
constexpr std::size_t name_size = 16;

// Offsets.
constexpr std::size_t version_at = 8;
constexpr std::size_t men_at = 12;
constexpr std::size_t names_at = 16;
constexpr std::size_t numbers_at = 96;
constexpr std::size_t own_checksum_at = 152;

std::uint64_t get(const std::uint8_t* from, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  return number;
}

void put(std::uint8_t* to, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

std::uint64_t own_checksum(const std::uint8_t* data) {
  Checksum sum;
  sum.add(data, own_checksum_at);
  return sum.value();
}

[[noreturn]] void damaged(const std::string& what) { throw std::invalid_argument("it is damaged: " + what); }

std::uint8_t card_of_name(const std::uint8_t* bytes) {
  const auto* end = std::find(bytes, bytes + name_size, 0);
  const std::string name(bytes, end);
  for (std::size_t card = 0; card < cards.size(); ++card) {
    if (cards[card].name == name) return static_cast<std::uint8_t>(card);
  }
  damaged("unknown card name");
}

}  // namespace

std::uint64_t checksum_of(const std::uint8_t* entries, std::uint64_t count, const std::function<void()>& poll) {
  constexpr std::uint64_t piece = std::uint64_t{4} << 20;
  Checksum sum;
  for (std::uint64_t at = 0; at < count; at += piece) {
    sum.add(entries + at, std::min(piece, count - at));
    poll();
  }
  return sum.value();
}

TablebaseHeaderBytes write_header(const TablebaseHeader& header) {
  TablebaseHeaderBytes bytes{};
  std::copy(magic.begin(), magic.end(), bytes.begin());
  put(&bytes[version_at], version, 4);
  put(&bytes[men_at], static_cast<std::uint64_t>(header.men), 4);
  for (std::size_t i = 0; i < header.cards.size(); ++i) {
    const std::string_view name = cards[header.cards[i]].name;
    std::copy(name.begin(), name.end(), bytes.begin() + static_cast<std::ptrdiff_t>(names_at + i * name_size));
  }
  std::size_t at = numbers_at;
  for (const std::uint64_t number :
       {header.states, header.wins, header.losses, header.draws, header.longest, header.checksum}) {
    put(&bytes[at], number, 8);
    at += 8;
  }
  put(&bytes[own_checksum_at], own_checksum(bytes.data()), 8);
  return bytes;
}

TablebaseHeader read_header(const std::uint8_t* data, std::size_t size) {
  if (size < magic.size() || !std::equal(magic.begin(), magic.end(), data)) {
    throw std::invalid_argument("it is not an Onitama tablebase");
  }
  if (size < tablebase_header_size) damaged("the header is incomplete");
  const std::uint64_t written = get(data + version_at, 4);
  if (written != version) {
    throw std::invalid_argument("it has format version " + std::to_string(written) + "; this program reads version " +
                                std::to_string(version));
  }
  if (get(data + own_checksum_at, 8) != own_checksum(data)) damaged("header checksum mismatch");
  TablebaseHeader header;
  const std::uint64_t men = get(data + men_at, 4);
  if (men != 2 && men != 4 && men != 6) damaged("men=" + std::to_string(men) + ", must be 2, 4 or 6");
  header.men = static_cast<int>(men);
  for (std::size_t i = 0; i < header.cards.size(); ++i) header.cards[i] = card_of_name(data + names_at + i * name_size);
  for (std::size_t i = 1; i < header.cards.size(); ++i) {
    if (cards[header.cards[i - 1]].name >= cards[header.cards[i]].name)
      damaged("the cards are not in alphabetical order");
  }
  std::size_t at = numbers_at;
  for (std::uint64_t* number :
       {&header.states, &header.wins, &header.losses, &header.draws, &header.longest, &header.checksum}) {
    *number = get(data + at, 8);
    at += 8;
  }
  if (header.states != TablebaseIndex(header.cards, header.students()).size() || header.wins > header.states ||
      header.losses > header.states - header.wins || header.draws != header.states - header.wins - header.losses ||
      header.longest > max_plies) {
    damaged("the counts are inconsistent");
  }
  const std::uint64_t expected = tablebase_header_size + header.states;
  if (size != expected) {
    damaged("it has " + std::to_string(size) + " bytes, expected " + std::to_string(expected));
  }
  return header;
}

}  // namespace tesuji::onitama
