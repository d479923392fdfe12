// Compiled by any compiler, with the instructions that every processor has.
#include "network/kernels.hpp"
#include "network/kernels_code.hpp"

namespace tesuji::network {

const Kernels* portable_kernels() { return &compiled_kernels; }

}  // namespace tesuji::network
