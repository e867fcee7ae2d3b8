# What keeps a build short. Most of a small file's time goes into the headers of the standard library and fmt, so they are
# parsed once. Headers whose inline functions are compiled again in every file that sees them (nlohmann/json, CLI11, pybind11:
# half a second to four each, precompiled or not) stay out; few files include them.
option(WEFT_PRECOMPILE "Precompile the headers of the standard library and fmt" ON)
set(WEFT_PRECOMPILED <algorithm> <array> <atomic> <bit> <cassert> <cctype> <cerrno> <charconv> <chrono> <cmath> <csignal>
    <cstddef> <cstdint> <cstdio> <cstdlib> <cstring> <deque> <exception> <filesystem> <fstream> <functional> <iterator> <limits>
    <map> <memory> <mutex> <numbers> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <thread>
    <tuple> <type_traits> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

# weft_precompile(TARGET [HEADERS…]): these headers on top of WEFT_PRECOMPILED.
function(weft_precompile target)
  if(WEFT_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${WEFT_PRECOMPILED} ${ARGN})
    # ccache reads what is left to preprocess, not the precompiled header.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

# weft_precompile_as(OTHER TARGET): the precompiled header of OTHER, which has the same flags.
function(weft_precompile_as other target)
  if(WEFT_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

# Files of one folder are compiled together, as most of a file's time goes into headers and templates that its neighbours use
# as well. OFF compiles each alone: then a change of one file costs that file only, and clang-tidy finds it.
option(WEFT_UNITY "Compile the files of a folder together" ON)

# weft_unity(TARGET [FOLDERS…]): the sources of TARGET by folder, those that are alone in theirs together with others of the
# folder above; those of FOLDERS all together. What has options or definitions of its own is compiled alone.
function(weft_unity target)
  if(NOT WEFT_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND folders ${folder})
  endforeach()
  list(LENGTH folders all)
  foreach(source folder IN ZIP_LISTS sources folders)
    set(others ${folders})
    list(REMOVE_ITEM others ${folder})
    list(LENGTH others elsewhere)
    math(EXPR here "${all} - ${elsewhere}")
    if(here EQUAL 1)
      get_filename_component(folder ${folder} DIRECTORY)
      string(APPEND folder "/single")
    endif()
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    if(folder IN_LIST ARGN)
      list(GET ARGN 0 folder)
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# weft_unity_json(TARGET): those that include JSON, which takes four seconds in each folder, together instead.
function(weft_unity_json target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} json REGEX "^#include .*(json|core/block_file)" LIMIT_COUNT 1)
    if(json)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP json)
    endif()
  endforeach()
endfunction()

# GCC collects garbage whenever its memory has grown by a fraction; up to 512 MiB that takes 7 % of its time for nothing.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# Optimising costs compile time: this lowers Release's -O3 to -O2 for the library (a tenth less to compile, programs 0 to 3 %
# slower; the vector kernels keep -O3), and to -O1 where no time is spent (a fifth less to compile).
function(weft_optimise_target level target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# Clones in different folders share the cache: paths under the source folder are hashed relative to it. Without the
# sloppiness ccache refuses to cache what uses precompiled headers, so a plain ccache as launcher gets these settings too.
# What is hashed includes the bytes of the precompiled header, and GCC writes different ones each time it runs: a clone finds
# the objects of another one if its precompiled header comes from the cache as well, that is if both have the same flags
# (WEFT_WERROR among them) and the other one's was finished first. Clones that start at the same time share nothing.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND (NOT CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES "^([^;]*/)?ccache$"))
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()
