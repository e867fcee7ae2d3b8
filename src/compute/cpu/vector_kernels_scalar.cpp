#define WEFT_KERNELS kernels_scalar
#define WEFT_VECTOR_BYTES 0
#include "compute/cpu/vector_kernels.inl"
