# The GPU: a module of its own, so that weft starts, and is packaged, without CUDA. Its sources are compiled twice: by nvcc
# where there is one, and for the tests against a device that the host emulates (tests/cuda/emulator).
set(WEFT_CUDA_KERNELS elementwise.cu feature_kernels.cu feature_slopes.cu hadamard.cu distances.cu distance_gradients.cu
  symmetric.cu triangular_solve.cu)
set(WEFT_CUDA_HOST memory.cpp module.cpp products.cpp factor.cpp triangles.cpp device_activation.cpp feature_blocks.cpp
  feature_copies.cpp feature_gradients.cpp kernel_blocks.cpp)
list(TRANSFORM WEFT_CUDA_KERNELS PREPEND ${PROJECT_SOURCE_DIR}/src/compute/cuda/)
list(TRANSFORM WEFT_CUDA_HOST PREPEND ${PROJECT_SOURCE_DIR}/src/compute/cuda/)
# What the module calls of the library, compiled again: it must not need symbols of who loads it.
set(WEFT_CUDA_SHARED ${PROJECT_SOURCE_DIR}/src/core/error.cpp ${PROJECT_SOURCE_DIR}/src/features/weight_kernel.cpp)

# weft_cuda_module(TARGET): what both builds have in common.
function(weft_cuda_module target)
  add_library(${target} MODULE ${WEFT_CUDA_KERNELS} ${WEFT_CUDA_HOST} ${WEFT_CUDA_SHARED})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE WEFT_VERSION="${PROJECT_VERSION}")
  target_compile_definitions(${target} PRIVATE FMT_HEADER_ONLY=1)
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
endfunction()

option(WEFT_CUDA "Build the module for NVIDIA GPUs where nvcc is" ON)
if(WEFT_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
endif()
if(CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
  enable_language(CUDA)
  # CMake 3.25 does not know it of nvcc 13.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  find_package(CUDAToolkit QUIET)
endif()
if(TARGET CUDA::cublas AND TARGET CUDA::cusolver)
  weft_cuda_module(weft_cuda)
  target_link_directories(weft_cuda PRIVATE ${CUDAToolkit_LIBRARY_DIR})
  target_link_libraries(weft_cuda PRIVATE CUDA::cudart_static CUDA::cublas CUDA::cusolver)
  # 554: nvcc does not see the constraint of View's conversion.
  target_compile_options(weft_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=554>)
  set_target_properties(weft_cuda PROPERTIES CUDA_VISIBILITY_PRESET hidden INSTALL_RPATH "$ORIGIN")
else()
  message(STATUS "weft will not use GPUs: there is no nvcc with cuBLAS and cuSOLVER")
endif()
