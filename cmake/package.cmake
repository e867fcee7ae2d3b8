# Debian packages, by cpack: weft (command, library, headers, manual page, completions, what CMake and pkg-config read) and, where
# there is MPI, weft-mpi. scripts/package makes them.
set(WEFT_MAINTAINER "The weft authors <weft@example.org>" CACHE STRING "Who answers for the packages: name and address")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learning from tables with random features and kernels")
set(CPACK_PACKAGE_CONTACT ${WEFT_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL weft)
if(TARGET weft_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_WEFT_PACKAGE_NAME weft)
set(CPACK_DEBIAN_WEFT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_WEFT_DESCRIPTION "weft fits random features, learned kernels and kernel machines to tables and
predicts with them: a command, a C++20 library with its headers, and a C
interface. Models are one checksummed file; weft export writes them as C,
JavaScript or ONNX.")
# OpenBLAS, SQLite and libpq are loaded by name, so that no tool finds them; the last ones are what a program that links the static
# library is built with.
set(CPACK_DEBIAN_WEFT_PACKAGE_DEPENDS libopenblas0)
set(CPACK_DEBIAN_WEFT_PACKAGE_SUGGESTS "libsqlite3-0, libpq5, weft-mpi, g++, libfmt-dev, zlib1g-dev")
set(CPACK_DEBIAN_WEFT_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)

set(CPACK_DEBIAN_MPI_PACKAGE_NAME weft-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_DESCRIPTION "The module that weft loads under mpirun: files and rows are shared out among
the processes, and with ScaLAPACK the matrices of large fits as well.")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "weft (= ${PROJECT_VERSION}-1), openmpi-bin")

set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package_date.cmake)
file(CONFIGURE OUTPUT ${CPACK_PROJECT_CONFIG_FILE} CONTENT "set(ENV{SOURCE_DATE_EPOCH} ${WEFT_SOURCE_DATE})\n" @ONLY)
set(CPACK_WEFT_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_WEFT_NOTICES ${PROJECT_BINARY_DIR}/embedded/licences.txt)
set(CPACK_WEFT_MAINTAINER ${WEFT_MAINTAINER})
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
