#include "network/kernels.hpp"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace tesuji::network {

namespace {

#ifdef TESUJI_HAS_neon_dot
bool has_dot_products() {
#if defined(__linux__)
  constexpr unsigned long dot_products = 1UL << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & dot_products) != 0;
#elif defined(__APPLE__)
  return true;
#else
  return false;  // unknown
#endif
}
#endif

std::vector<NamedKernels> find_kernels() {
  std::vector<NamedKernels> found;
#ifdef TESUJI_HAS_avx512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")) {
    found.push_back({"avx512", avx512_kernels()});
  }
#endif
#ifdef TESUJI_HAS_avx_vnni
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("avxvnni")) {
    found.push_back({"avx-vnni", avx_vnni_kernels()});
  }
#endif
#ifdef TESUJI_HAS_avx2
  if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", avx2_kernels()});
#endif
#ifdef TESUJI_HAS_neon_dot
  if (has_dot_products()) found.push_back({"neon-dot", neon_dot_kernels()});
#endif
#ifdef TESUJI_HAS_neon
  found.push_back({"neon", neon_kernels()});
#endif
  found.push_back({"portable", portable_kernels()});
  return found;
}

}  // namespace

const std::vector<NamedKernels>& available_kernels() {
  static const std::vector<NamedKernels> found = find_kernels();
  return found;
}

}  // namespace tesuji::network
