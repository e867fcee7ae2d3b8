add_library(weft_warnings INTERFACE)
target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
# GCC 12 loses the thread in fmt and std::string at -O3 (gcc bug 105562 and kin).
target_compile_options(weft_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(WEFT_WERROR)
  target_compile_options(weft_warnings INTERFACE -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds -Wno-error=stringop-overflow>)
endif()
if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()
if(WEFT_ASSERT)
  # After the -DNDEBUG of CMake's Release.
  add_compile_options(-UNDEBUG)
endif()
