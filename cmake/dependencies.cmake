# Everything weft stands on, gathered in one interface target. Debian 12 has all of it; `packages.txt` lists the names.
list(PREPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(FastFloat REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
if(WEFT_BUILD_CLI)
  find_package(CLI11 REQUIRED)
endif()

# Those with a library behind them: a program that links the static weft links them too (weftConfig.cmake.in finds them).
set(WEFT_LINKED OpenMP::OpenMP_CXX Threads::Threads fmt::fmt ZLIB::ZLIB ${CMAKE_DL_LIBS})
add_library(weft_dependencies INTERFACE)
target_link_libraries(weft_dependencies INTERFACE ${WEFT_LINKED} nlohmann_json::nlohmann_json
  FastFloat::fast_float Boost::headers)
target_include_directories(weft_dependencies SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})
target_compile_definitions(weft_dependencies INTERFACE BOOST_MATH_NO_LONG_DOUBLE_MATH_FUNCTIONS)
