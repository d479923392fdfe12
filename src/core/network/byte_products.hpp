// Vectors of the processor that this is compiled for, and sums of products of bytes in them:
//
//     sums[o] += Σ inputs[i]·weights[o][i], i = 0 … 3
//
// with unsigned inputs, which are the rounded numbers plus 128, and signed weights. Vectors of floats are those of GCC
// and Clang, whose operators are compiled to whatever the processor has; the portable ones are C++ alone.
#pragma once

#include <cstring>

#include "network/matrices.hpp"

#if defined(__AVX2__) && defined(__GNUC__)
#define TESUJI_AVX2
#include <immintrin.h>
#elif defined(TESUJI_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__) || defined(_M_X64)  // every x86-64 processor
#define TESUJI_SSE2
#include <emmintrin.h>
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define TESUJI_ALWAYS_INLINE __forceinline
#define TESUJI_NOT_UNROLLED
#else
#define TESUJI_ALWAYS_INLINE [[gnu::always_inline]] inline
#define TESUJI_NOT_UNROLLED _Pragma("GCC unroll 1")
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
  std::memcpy(&four, from, sizeof four);
  return four;
}

#if defined(TESUJI_AVX2) && defined(__AVX512VNNI__)

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

#elif defined(TESUJI_AVX2)

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

#elif defined(TESUJI_NEON)

constexpr int kWidth = 4;
constexpr int kRegistersAtOnce = 4;

using Floats = float __attribute__((vector_size(4 * kWidth)));
using Sums = int32x4_t;

// Both instructions multiply signed numbers: the inputs without the 128, so the sums begin at 0.
inline Sums first_sums(const std::int32_t*) { return vdupq_n_s32(0); }
inline Sums four_weights(const std::int8_t* from) { return vreinterpretq_s32_s8(vld1q_s8(from)); }
inline Sums four_inputs(const std::uint8_t* from) {
  const uint8x16_t bytes = vreinterpretq_u8_s32(vdupq_n_s32(read_four(from)));
  return vreinterpretq_s32_u8(veorq_u8(bytes, vdupq_n_u8(128)));
}
inline void add_products(Sums& sums, Sums inputs, Sums weights) {
  const int8x16_t q = vreinterpretq_s8_s32(inputs), w = vreinterpretq_s8_s32(weights);
#ifdef __ARM_FEATURE_DOTPROD
  sums = vdotq_s32(sums, q, w);
#else
  // Sums of two products fit in 16 bits.
  const int16x8_t low = vmull_s8(vget_low_s8(q), vget_low_s8(w)), high = vmull_high_s8(q, w);
  sums = vpadalq_s16(sums, vpaddq_s16(low, high));
#endif
}
inline Floats to_floats(Sums sums) { return reinterpret_cast<Floats>(vcvtq_f32_s32(sums)); }

inline void store_low_bytes(std::uint8_t* to, Floats from) {
  const uint16x4_t words = vmovn_u32(reinterpret_cast<uint32x4_t>(from));
  const std::uint32_t bytes = vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(words, words))), 0);
  std::memcpy(to, &bytes, sizeof bytes);
}
inline void largest(Floats a, Floats b, Floats c, Floats d, float* to) {
  const auto pairs = [](Floats x, Floats y) {
    return vpmaxq_f32(reinterpret_cast<float32x4_t>(x), reinterpret_cast<float32x4_t>(y));
  };
  vst1q_f32(to, vpmaxq_f32(pairs(a, b), pairs(c, d)));
}

#else

constexpr int kWidth = 4;
constexpr int kRegistersAtOnce = 2;

struct Floats {
  float of[kWidth];
};
template <typename Function>
inline Floats for_each_float(Function function) {
  return {{function(0), function(1), function(2), function(3)}};
}
inline Floats operator+(const Floats& a, const Floats& b) {
  return for_each_float([&](int i) { return a.of[i] + b.of[i]; });
}
inline Floats operator-(const Floats& a, const Floats& b) {
  return for_each_float([&](int i) { return a.of[i] - b.of[i]; });
}
inline Floats operator*(const Floats& a, const Floats& b) {
  return for_each_float([&](int i) { return a.of[i] * b.of[i]; });
}
inline Floats operator+(const Floats& a, float b) { return a + Floats{{b, b, b, b}}; }
inline Floats operator*(const Floats& a, float b) { return a * Floats{{b, b, b, b}}; }
inline Floats operator*(float a, const Floats& b) { return b * a; }
inline Floats operator-(const Floats& a) {
  return for_each_float([&](int i) { return -a.of[i]; });
}
inline Floats& operator+=(Floats& a, const Floats& b) { return a = a + b; }

inline Floats load(const float* from) {
  return for_each_float([&](int i) { return from[i]; });
}
inline void store(float* to, const Floats& value) { std::memcpy(to, value.of, sizeof value); }
inline Floats larger(const Floats& a, const Floats& b) {
  return for_each_float([&](int i) { return a.of[i] > b.of[i] ? a.of[i] : b.of[i]; });
}

#ifdef TESUJI_SSE2
// Products are added in pairs: two numbers for each output.
struct Sums {
  __m128i low;
  __m128i high;
};
inline Sums first_sums(const std::int32_t* offsets) {
  const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offsets)), zero = _mm_setzero_si128();
  return {_mm_unpacklo_epi32(all, zero), _mm_unpackhi_epi32(all, zero)};
}
inline Sums four_weights(const std::int8_t* from) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return {_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8), _mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8)};
}
inline Sums four_inputs(const std::uint8_t* from) {
  const __m128i words = _mm_unpacklo_epi8(_mm_set1_epi32(read_four(from)), _mm_setzero_si128());
  return {words, words};
}
inline void add_products(Sums& sums, const Sums& inputs, const Sums& weights) {
  sums.low = _mm_add_epi32(sums.low, _mm_madd_epi16(inputs.low, weights.low));
  sums.high = _mm_add_epi32(sums.high, _mm_madd_epi16(inputs.high, weights.high));
}
inline Floats to_floats(const Sums& sums) {
  std::int32_t pairs[2 * kWidth];
  std::memcpy(pairs, &sums, sizeof pairs);
  return for_each_float([&](int i) { return static_cast<float>(pairs[2 * i] + pairs[2 * i + 1]); });
}
#else
struct Sums {
  std::int32_t of[kWidth];  // sums; or, as bytes, the inputs and weights
};

inline Sums load_sums(const void* from) {
  Sums sums;
  std::memcpy(&sums, from, sizeof sums);
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
  return for_each_float([&](int i) { return static_cast<float>(sums.of[i]); });
}
#endif

inline void store_low_bytes(std::uint8_t* to, const Floats& from) {
  std::uint32_t bits[kWidth];
  std::memcpy(bits, from.of, sizeof bits);
  for (int i = 0; i < kWidth; ++i) to[i] = static_cast<std::uint8_t>(bits[i]);
}
inline void largest(const Floats& a, const Floats& b, const Floats& c, const Floats& d, float* to) {
  const Floats* const vectors[] = {&a, &b, &c, &d};
  for (int i = 0; i < 4; ++i) {
    to[i] = vectors[i]->of[0];
    for (int k = 1; k < kWidth; ++k) to[i] = vectors[i]->of[k] > to[i] ? vectors[i]->of[k] : to[i];
  }
}

#endif

#if defined(TESUJI_AVX2) || defined(TESUJI_NEON)
using StoredFloats = float __attribute__((vector_size(4 * kWidth), aligned(4), may_alias));

inline Floats load(const float* from) { return *reinterpret_cast<const StoredFloats*>(from); }
inline void store(float* to, Floats value) { *reinterpret_cast<StoredFloats*>(to) = value; }
inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }
#endif

}  // namespace

}  // namespace tesuji::network
