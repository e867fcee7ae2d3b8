# Installs weft into an empty prefix, moves the prefix (nothing in it may depend on where it was), then builds and runs the
# consumer and the installed command. cmake -D BUILD=… -D SOURCE=… -D WORK=… -D VERSION=… -D COMPILER=… -D FLAGS=… -D CONFIG=… -P check.cmake
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}\nended with ${result}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/prefix)

file(GLOB_RECURSE package_files ${WORK}/prefix/*.cmake)
foreach(file IN LISTS package_files)
  file(STRINGS ${file} machine_paths REGEX "${SOURCE}/|/usr/lib.*[.](so|a)")
  if(machine_paths)
    message(FATAL_ERROR "${file} names paths of this machine: ${machine_paths}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${WORK}/build -G Ninja -D CMAKE_BUILD_TYPE=Release
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_PREFIX_PATH=${WORK}/prefix
  -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
message(STATUS "${output}")

run(${CMAKE_COMMAND} -E env CXX=${COMPILER} ${SOURCE}/tests/install/consumers.sh ${WORK}/prefix ${FLAGS})
message(STATUS "${output}")

# Nor does any program or library of a release: others keep whole paths for debuggers.
execute_process(COMMAND grep -rlF -e ${SOURCE}/ -e ${BUILD}/ ${WORK}/prefix OUTPUT_VARIABLE named)
if(named AND CONFIG STREQUAL Release)
  message(FATAL_ERROR "these name the folder that they were built in:\n${named}")
endif()

if(EXISTS ${WORK}/prefix/bin/weft)
  foreach(file bash-completion/completions/weft zsh/site-functions/_weft fish/vendor_completions.d/weft.fish man/man1/weft.1)
    file(STRINGS ${WORK}/prefix/share/${file} options REGEX "landmark.*-sampling")
    if(NOT options)
      message(FATAL_ERROR "${file} does not have the options of the command")
    endif()
  endforeach()
  run(${WORK}/prefix/bin/weft version)
  if(NOT output STREQUAL "weft ${VERSION}\n")
    message(FATAL_ERROR "the installed command calls itself '${output}', not weft ${VERSION}")
  endif()
endif()
