// Compiled with Arm's products of bytes (kernels.cmake), where the compiler has them.
#include "network/kernels.hpp"

#if defined(__ARM_FEATURE_DOTPROD) && defined(__aarch64__) && defined(__GNUC__)

#define TESUJI_NEON
#include "network/kernels_code.hpp"

namespace tesuji::network {

const Kernels* neon_dot_kernels() { return &compiled_kernels; }

}  // namespace tesuji::network

#else

namespace tesuji::network {

const Kernels* neon_dot_kernels() { return nullptr; }

}  // namespace tesuji::network

#endif
