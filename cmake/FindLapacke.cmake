# LAPACKE and CBLAS on OpenBLAS, as the target Lapacke::Lapacke, for programs that call them on their own: weft loads OpenBLAS
# at run time (src/compute/cpu/blas_library.cpp).
find_library(OPENBLAS_LIBRARY openblas)
find_library(LAPACKE_LIBRARY lapacke)
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
mark_as_advanced(OPENBLAS_LIBRARY LAPACKE_LIBRARY CBLAS_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Lapacke REQUIRED_VARS LAPACKE_LIBRARY OPENBLAS_LIBRARY CBLAS_INCLUDE_DIR)
if(Lapacke_FOUND AND NOT TARGET Lapacke::Lapacke)
  add_library(Lapacke::Lapacke INTERFACE IMPORTED)
  target_link_libraries(Lapacke::Lapacke INTERFACE ${LAPACKE_LIBRARY} ${OPENBLAS_LIBRARY})
  target_include_directories(Lapacke::Lapacke SYSTEM INTERFACE ${CBLAS_INCLUDE_DIR})
endif()
