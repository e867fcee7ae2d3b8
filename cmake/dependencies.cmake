# Everything weft stands on, gathered in one interface target. Debian 12 has all of it; `packages.txt` lists the names.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(FastFloat REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
find_library(OPENBLAS_LIBRARY openblas REQUIRED)
find_library(LAPACKE_LIBRARY lapacke REQUIRED)
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas REQUIRED)
if(WEFT_BUILD_CLI)
  find_package(CLI11 REQUIRED)
endif()

add_library(weft_dependencies INTERFACE)
target_link_libraries(weft_dependencies INTERFACE OpenMP::OpenMP_CXX Threads::Threads Eigen3::Eigen fmt::fmt
  nlohmann_json::nlohmann_json FastFloat::fast_float ZLIB::ZLIB Boost::headers ${LAPACKE_LIBRARY} ${OPENBLAS_LIBRARY})
target_include_directories(weft_dependencies SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR} ${CBLAS_INCLUDE_DIR})
# Eigen's own threads would stack on ours.
target_compile_definitions(weft_dependencies INTERFACE EIGEN_DONT_PARALLELIZE BOOST_MATH_NO_LONG_DOUBLE_MATH_FUNCTIONS)
