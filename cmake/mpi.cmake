# Work shared out over the processes of mpirun: a module of its own, so that weft starts, and is packaged, without MPI.
include(GNUInstallDirs)
target_compile_definitions(weft_cli PRIVATE WEFT_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}")
target_link_libraries(weft_cli PRIVATE ${CMAKE_DL_LIBS})
# Of C: the C++ bindings of MPI are gone from the standard.
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "weft will not run under mpirun: there is no MPI")
  return()
endif()
file(GLOB WEFT_MPI_SOURCES CONFIGURE_DEPENDS src/mpi/*.cpp)
add_library(weft_mpi MODULE ${WEFT_MPI_SOURCES})
target_include_directories(weft_mpi PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(weft_mpi PRIVATE MPI::MPI_CXX weft_warnings)
target_compile_definitions(weft_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
set_target_properties(weft_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
add_dependencies(weft_cli weft_mpi)
