#include "network/kernels.hpp"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace tesuji::network {

namespace {

std::vector<NamedKernels> find_kernels() {
  std::vector<NamedKernels> found;
  const auto add = [&](const char* name, const Kernels* kernels, bool supported) {
    if (kernels != nullptr && supported) found.push_back({name, kernels});
  };
#if defined(__GNUC__) && defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2");
  add("avx512", avx512_kernels(),
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"));
#ifdef TESUJI_AVX_VNNI
  add("avx-vnni", avx_vnni_kernels(), avx2 && __builtin_cpu_supports("avxvnni"));
#endif
  add("avx2", avx2_kernels(), avx2);
#elif defined(__aarch64__)
#if defined(__linux__)
  constexpr unsigned long dot_products = 1UL << 20;  // HWCAP_ASIMDDP
  const bool dot = (getauxval(AT_HWCAP) & dot_products) != 0;
#elif defined(__APPLE__)
  constexpr bool dot = true;
#else
  constexpr bool dot = false;  // unknown
#endif
  add("neon-dot", neon_dot_kernels(), dot);
  add("neon", neon_kernels(), true);
#endif
  add("portable", portable_kernels(), true);
  return found;
}

}  // namespace

const std::vector<NamedKernels>& available_kernels() {
  static const std::vector<NamedKernels> found = find_kernels();
  return found;
}

}  // namespace tesuji::network
