# LAPACKE and CBLAS on OpenBLAS, as the target Lapacke::Lapacke. Installed with weft: whoever links the static library finds
# them again on their own machine.
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
