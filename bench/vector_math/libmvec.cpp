// glibc's libmvec under the names of the x86-64 vector function ABI, as weft calls it.
#if WEFT_VECTOR_BYTES == 64
#define WEFT_MVEC(f) _ZGVeN8v_##f
#define WEFT_MVECF(name) _ZGVeN16v_##name##f
#else
#define WEFT_MVEC(f) _ZGVdN4v_##f
#define WEFT_MVECF(name) _ZGVdN8v_##name##f
#endif
#include "contender.inl"
