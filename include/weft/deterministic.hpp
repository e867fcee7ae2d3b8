// The same bits on every x86-64 processor with AVX2 and FMA (2013 and later), not only on any number of threads.
#pragma once

#include <weft/visibility.hpp>

namespace WEFT_PUBLIC weft {

/// From now on this process computes with one set of kernels whatever its processor offers: weft's own for AVX2, and
/// OpenBLAS's for Haswell. To be called before anything is computed. Results then depend on the rows, the options, the
/// memory limit, and the versions of weft, OpenBLAS and the C library. Throws Error(option) where the processor has no
/// AVX2, or other kernels are in use.
void use_fixed_kernels();

}  // namespace weft
