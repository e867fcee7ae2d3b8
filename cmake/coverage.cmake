# What scripts/coverage counts. Tests are compiled as ever: they are half of a build, and the cache of another one serves.
if(NOT WEFT_COVERAGE)
  return()
endif()
set(counted weft weft_callers)
if(WEFT_BUILD_CLI)
  list(APPEND counted weft_commands weft_cli)
endif()
foreach(target ${counted})
  # Counters are found by whole paths. Optimised more, several lines share one counter.
  target_compile_options(${target} PRIVATE --coverage -ffile-prefix-map=${PROJECT_SOURCE_DIR}=${PROJECT_SOURCE_DIR} $<$<CONFIG:Release>:-O1>)
endforeach()
target_link_options(weft PUBLIC --coverage)
