# weft_embed(TARGET NAME FILES…): the files' contents as weft::embedded_NAME() (src/core/embedded.hpp), each under its file
# name. Embedded again when a file changes.
function(weft_embed target name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  set(files "")
  foreach(file IN LISTS ARGN)
    file(REAL_PATH ${file} file)
    list(APPEND files ${file})
  endforeach()
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D OUT=${source} "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Embedding ${name}" VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
