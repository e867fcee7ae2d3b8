// Compiled only so that CMake makes the precompiled header that the tests share.
