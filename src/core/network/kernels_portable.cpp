// Compiled with the instructions that every processor has.
#include "network/kernels.hpp"

#ifdef __GNUC__

#include "network/kernels_code.hpp"

namespace tesuji::network {

const Kernels* portable_kernels() { return &compiled_kernels; }

}  // namespace tesuji::network

#else

namespace tesuji::network {

const Kernels* portable_kernels() { return nullptr; }

}  // namespace tesuji::network

#endif
