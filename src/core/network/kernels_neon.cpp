// Compiled with the instructions that every 64-bit Arm processor has.
#include "network/kernels.hpp"

#if defined(__aarch64__) && defined(__GNUC__)

#define TESUJI_NEON
#include "network/kernels_code.hpp"

namespace tesuji::network {

const Kernels* neon_kernels() { return &compiled_kernels; }

}  // namespace tesuji::network

#else

namespace tesuji::network {

const Kernels* neon_kernels() { return nullptr; }

}  // namespace tesuji::network

#endif
