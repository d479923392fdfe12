// Compiled with the instructions of AVX2 and AVX-VNNI (kernels.cmake), where the compiler has them.
#include "network/kernels.hpp"

#if defined(__AVXVNNI__) && defined(__GNUC__)

#include "network/kernels_code.hpp"

namespace tesuji::network {

const Kernels* avx_vnni_kernels() { return &compiled_kernels; }

}  // namespace tesuji::network

#else

namespace tesuji::network {

const Kernels* avx_vnni_kernels() { return nullptr; }

}  // namespace tesuji::network

#endif
