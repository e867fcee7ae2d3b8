// libm, one number at a time.
#include "contender.inl"
