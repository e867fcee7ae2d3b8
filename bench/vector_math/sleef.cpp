// SLEEF's most accurate functions, each by its name for one instruction set: the plain names choose at every call.
#define WEFT_MVEC(f) SLEEF_##f(d)
#define WEFT_MVECF(name) SLEEF_##name(f)
#if WEFT_VECTOR_BYTES == 64
#define SLEEF_NAME(f, type, ulp) SLEEF_512_##type(f, ulp)
#define SLEEF_512_d(f, ulp) Sleef_##f##d8_##ulp##avx512f
#define SLEEF_512_f(f, ulp) Sleef_##f##f16_##ulp##avx512f
#else
#define SLEEF_NAME(f, type, ulp) SLEEF_256_##type(f, ulp)
#define SLEEF_256_d(f, ulp) Sleef_##f##d4_##ulp##avx2
#define SLEEF_256_f(f, ulp) Sleef_##f##f8_##ulp##avx2
#endif
#define SLEEF_erf(type) SLEEF_NAME(erf, type, u10)
#define SLEEF_erfc(type) SLEEF_NAME(erfc, type, u15)
#define SLEEF_exp(type) SLEEF_NAME(exp, type, u10)
#define SLEEF_log(type) SLEEF_NAME(log, type, u10)
#define SLEEF_cos(type) SLEEF_NAME(cos, type, u10)
#define SLEEF_sin(type) SLEEF_NAME(sin, type, u10)
#include "contender.inl"
