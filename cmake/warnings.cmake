add_library(weft_warnings INTERFACE)
target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
# GCC 12 reports overflows inside fmt and std::string that do not exist (GCC bug 105562 and similar ones).
target_compile_options(weft_warnings INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
if(WEFT_WERROR)
  target_compile_options(weft_warnings INTERFACE -Werror)
endif()
if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()
if(WEFT_ASSERT)
  # After the -DNDEBUG of CMake's Release.
  add_compile_options(-UNDEBUG)
endif()
