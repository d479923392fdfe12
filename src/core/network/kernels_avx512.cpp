// Compiled with the instructions of AVX-512 and its VNNI (kernels.cmake), where the compiler has them.
#include "network/kernels.hpp"

#if defined(__AVX512VNNI__) && defined(__GNUC__)

#include "network/kernels_code.hpp"

namespace tesuji::network {

const Kernels* avx512_kernels() { return &compiled_kernels; }

}  // namespace tesuji::network

#else

namespace tesuji::network {

const Kernels* avx512_kernels() { return nullptr; }

}  // namespace tesuji::network

#endif
