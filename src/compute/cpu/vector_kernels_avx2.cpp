#if defined(WEFT_HAVE_LIBMVEC)
#define WEFT_KERNELS kernels_avx2
#define WEFT_VECTOR_BYTES 32
#define WEFT_MVEC(f) _ZGVdN4v_##f
#define WEFT_MVECF(name) _ZGVdN8v_##name##f
#include "compute/cpu/vector_kernels.inl"
#endif
