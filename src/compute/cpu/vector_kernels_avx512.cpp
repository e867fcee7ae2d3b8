#if defined(WEFT_HAVE_LIBMVEC)
#define WEFT_KERNELS kernels_avx512
#define WEFT_VECTOR_BYTES 64
#define WEFT_MVEC(f) _ZGVeN8v_##f
#define WEFT_MVECF(name) _ZGVeN16v_##name##f
#include "compute/cpu/vector_kernels.inl"
#endif
