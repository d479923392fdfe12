// Vectors of the processor that this is compiled for, and sums of products of bytes in them:
//
//     sums[o] += Σ inputs[i]·weights[o][i], i = 0 … 3
//
// with unsigned inputs, which are the rounded numbers plus 128, and signed weights.
#pragma once

#include "network/matrices.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

// GCC before 13 warns of its own header where intrinsics are inlined (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace tesuji::network {

namespace {

inline std::int32_t read_four(const std::uint8_t* from) {
  std::int32_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return four;
}

#if defined(__AVX512VNNI__)

constexpr int kWidth = 16;  // numbers in a vector
// With kRowsAtOnce rows, 24 sums, 6 weights and the inputs fill the 32 registers.
constexpr int kRegistersAtOnce = 6;

using Floats = float __attribute__((vector_size(4 * kWidth)));
using Sums = __m512i;

inline Sums first_sums(const std::int32_t* offsets) { return _mm512_loadu_si512(offsets); }
inline Sums four_weights(const std::int8_t* from) { return _mm512_loadu_si512(from); }
inline Sums four_inputs(const std::uint8_t* from) { return _mm512_set1_epi32(read_four(from)); }
// In assembly, because GCC copies the sums to other registers for the intrinsic.
inline void add_products(Sums& sums, Sums inputs, Sums weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(inputs), "v"(weights));
}
inline Floats to_floats(Sums sums) {
  using Integers = std::int32_t __attribute__((vector_size(4 * kWidth)));
  return __builtin_convertvector(reinterpret_cast<Integers>(sums), Floats);
}

inline void store_low_bytes(std::uint8_t* to, Floats from) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(_mm512_castps_si512(from)));
}
// The largest number of each of four vectors.
inline void largest(Floats a, Floats b, Floats c, Floats d, float* to) {
  const __m512 ab = _mm512_max_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
  const __m512 cd = _mm512_max_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
  const __m512d ab_pairs = _mm512_castps_pd(ab), cd_pairs = _mm512_castps_pd(cd);
  const __m512 all = _mm512_max_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_pairs, cd_pairs)),
                                   _mm512_castpd_ps(_mm512_unpackhi_pd(ab_pairs, cd_pairs)));
  const __m256 half = _mm256_max_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
  _mm_storeu_ps(to, _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
}

#elif defined(__AVX2__)

constexpr int kWidth = 8;
constexpr int kRegistersAtOnce = 2;

using Floats = float __attribute__((vector_size(4 * kWidth)));
using Sums = __m256i;

inline Sums four_weights(const std::int8_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
inline Sums four_inputs(const std::uint8_t* from) { return _mm256_set1_epi32(read_four(from)); }
#ifdef __AVXVNNI__
inline Sums first_sums(const std::int32_t* offsets) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets));
}
inline void add_products(Sums& sums, Sums inputs, Sums weights) {
  asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums) : "x"(inputs), "x"(weights));
}
#else
// Sums of two products must fit in 16 bits, so signed numbers q are multiplied: q·w = |q|·(w·sign(q)).
inline Sums first_sums(const std::int32_t*) { return _mm256_setzero_si256(); }
inline void add_products(Sums& sums, Sums inputs, Sums weights) {
  const Sums q = _mm256_xor_si256(inputs, _mm256_set1_epi8(-128));
  const Sums pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(q), _mm256_sign_epi8(weights, q));
  sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
#endif
inline Floats to_floats(Sums sums) { return _mm256_cvtepi32_ps(sums); }

inline void store_low_bytes(std::uint8_t* to, Floats from) {
  const __m256i bytes = _mm256_and_si256(_mm256_castps_si256(from), _mm256_set1_epi32(255));
  const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
}
inline void largest(Floats a, Floats b, Floats c, Floats d, float* to) {
  const __m256 ab = _mm256_max_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
  const __m256 cd = _mm256_max_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
  const __m256d ab_pairs = _mm256_castps_pd(ab), cd_pairs = _mm256_castps_pd(cd);
  const __m256 all = _mm256_max_ps(_mm256_castpd_ps(_mm256_unpacklo_pd(ab_pairs, cd_pairs)),
                                   _mm256_castpd_ps(_mm256_unpackhi_pd(ab_pairs, cd_pairs)));
  _mm_storeu_ps(to, _mm_max_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
}

#else

constexpr int kWidth = 4;
constexpr int kRegistersAtOnce = 4;

using Floats = float __attribute__((vector_size(4 * kWidth)));
struct Sums {
  std::int32_t of[kWidth];  // sums; or, as bytes, the inputs and weights
};

inline Sums load_sums(const void* from) {
  Sums sums;
  __builtin_memcpy(&sums, from, sizeof sums);
  return sums;
}
inline Sums first_sums(const std::int32_t* offsets) { return load_sums(offsets); }
inline Sums four_weights(const std::int8_t* from) { return load_sums(from); }
inline Sums four_inputs(const std::uint8_t* from) {
  const std::int32_t four = read_four(from);
  return {{four, four, four, four}};
}
inline void add_products(Sums& sums, const Sums& inputs, const Sums& weights) {
  const auto* const input = reinterpret_cast<const std::uint8_t*>(&inputs);
  const auto* const weight = reinterpret_cast<const std::int8_t*>(&weights);
  for (int o = 0; o < kWidth; ++o) {
    for (int i = 0; i < 4; ++i) sums.of[o] += input[o * 4 + i] * weight[o * 4 + i];
  }
}
inline Floats to_floats(const Sums& sums) {
  return Floats{static_cast<float>(sums.of[0]), static_cast<float>(sums.of[1]), static_cast<float>(sums.of[2]),
                static_cast<float>(sums.of[3])};
}

inline void store_low_bytes(std::uint8_t* to, Floats from) {
  std::uint32_t bits[kWidth];
  __builtin_memcpy(bits, &from, sizeof bits);
  for (int i = 0; i < kWidth; ++i) to[i] = static_cast<std::uint8_t>(bits[i]);
}
inline void largest(Floats a, Floats b, Floats c, Floats d, float* to) {
  const Floats vectors[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i) {
    to[i] = vectors[i][0];
    for (int k = 1; k < kWidth; ++k) to[i] = vectors[i][k] > to[i] ? vectors[i][k] : to[i];
  }
}

#endif

}  // namespace

}  // namespace tesuji::network
