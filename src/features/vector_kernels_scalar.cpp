#define WEFT_KERNELS kernels_scalar
#define WEFT_VECTOR_BYTES 0
#include "features/vector_kernels.inl"
