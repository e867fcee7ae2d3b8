# One source per instruction set; the choice is made at run time, so the binary runs on any x86-64. All of them compile the
# same text under other names, so none can be compiled together with another.
file(GLOB per_instruction_set src/compute/cpu/vector_kernels_*.cpp)
set_source_files_properties(${per_instruction_set} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
  COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES mvec)
check_cxx_source_compiles("
  typedef double V __attribute__((vector_size(16)));
  extern \"C\" V _ZGVbN2v_erf(V); extern \"C\" V _ZGVbN2v_erfc(V);
  int main(int argc, char**) { V x = {double(argc), 0}; x = _ZGVbN2v_erf(x) + _ZGVbN2v_erfc(x); return x[0] > 3; }"
  WEFT_HAVE_LIBMVEC)
unset(CMAKE_REQUIRED_LIBRARIES)
if(WEFT_HAVE_LIBMVEC)
  target_compile_definitions(weft PRIVATE WEFT_HAVE_LIBMVEC)
  target_link_libraries(weft PRIVATE mvec)
  set_property(SOURCE src/compute/cpu/vector_kernels_avx2.cpp APPEND PROPERTY COMPILE_OPTIONS -mavx2 -mfma)
  set_property(SOURCE src/compute/cpu/vector_kernels_avx512.cpp
    APPEND PROPERTY COMPILE_OPTIONS -mavx512f -mavx512dq -mavx512vl -mfma)
endif()
