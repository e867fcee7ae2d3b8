// Whether kernels are fixed (weft/deterministic.hpp). Everything that chooses kernels by the processor asks here.
#pragma once

namespace weft::detail {

inline constexpr const char* kFixedInstructions = "avx2";
inline constexpr const char* kFixedCore = "Haswell";  // of OpenBLAS

/// Decides it for good: kernels are chosen once.
bool kernels_are_fixed();

}  // namespace weft::detail
