# NAME, FILES, OUT: writes the source that weft_embed() compiles.
set(contents_code "")
set(table_code "")
set(k 0)
foreach(file IN LISTS FILES)
  get_filename_component(file_name ${file} NAME)
  file(READ ${file} contents)
  # A raw literal holds any text but its own end.
  string(FIND "${contents}" ")weft_file\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${file} contains the end of a literal")
  endif()
  string(APPEND contents_code "constexpr char file_${k}[] = R\"weft_file(${contents})weft_file\";\n")
  # The length by sizeof: compilers will not count half a million characters in a constant expression.
  string(APPEND table_code "    {\"${file_name}\", {file_${k}, sizeof file_${k} - 1}},\n")
  math(EXPR k "${k} + 1")
endforeach()
file(WRITE ${OUT} "#include \"core/embedded.hpp\"

namespace weft::detail {

namespace {

${contents_code}
constexpr EmbeddedFile files[] = {
${table_code}};

}  // namespace

std::span<const EmbeddedFile> embedded_${NAME}() {
  return files;
}

}  // namespace weft::detail
")
