# What makes errors in memory hard to use, in everything that is built here; tests/tree/elf_test.py reads the result out of the
# files. Its cost is measured in docs/install.md. Sanitizers replace the checked functions of _FORTIFY_SOURCE by their own.
option(WEFT_HARDEN "Stack protector, checked library functions, control-flow protection, read-only relocations" ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # CMake then links programs with -pie, as POSITION_INDEPENDENT_CODE asks for
if(WEFT_HARDEN)
  add_compile_options(-fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-fcf-protection=full)
  endif()
  if(NOT WEFT_SANITIZE)
    add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
  endif()
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-z,separate-code)
endif()

# The same bytes wherever the sources and the build folder are: asserts name files relative to them. Debuggers and coverage need whole
# paths, so other configurations keep them.
foreach(map ${PROJECT_SOURCE_DIR}=. ${PROJECT_BINARY_DIR}=build)
  add_compile_options($<$<CONFIG:Release,MinSizeRel>:-ffile-prefix-map=${map}>)
endforeach()
