#if defined(WEFT_HAVE_LIBMVEC)
#define WEFT_KERNELS kernels_sse2
#define WEFT_VECTOR_BYTES 16
#define WEFT_MVEC(f) _ZGVbN2v_##f
#define WEFT_MVECF(name) _ZGVbN4v_##name##f
#include "compute/cpu/vector_kernels.inl"
#endif
