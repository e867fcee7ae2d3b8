#include <weft/version.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "export/writers.hpp"

namespace weft::detail {

namespace {

// Part of a comment, which it must not end.
std::string in_comment(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool joins = !text.empty() && ((text.back() == '*' && c == '/') || (text.back() == '/' && c == '*'));
    if (joins) text += ' ';
    text += static_cast<unsigned char>(c) < ' ' || c == 127 || c == '\\' ? '?' : c;
  }
  return text;
}

const char* cell_words(CellReader reader) {
  switch (reader) {
    case CellReader::boolean:
      return "yes or no, true or false, 1 or 0";
    case CellReader::date:
      return "date: YYYY-MM-DD, with a time or not";
    case CellReader::category:
      return "category";
    default:
      return "number";
  }
}

std::string c_columns(const Program& program) {
  std::string text;
  for (const ColumnStep& column : program.columns)
    if (column.cell >= 0)
      text += fmt::format("     {:<12} {} ({})\n",
                          fmt::format("{}[{}]", column.is_text() ? "texts" : "numbers", column.cell),
                          in_comment(column.name), cell_words(column.reader));
  text += "\n";
  for (Index k = 0; const std::string& name : program.value_names()) {
    const bool label = k == 0 && !program.classes.empty();
    text += fmt::format("     {:<12} {}{}\n", fmt::format("out[{}]", k++), in_comment(name),
                        label ? " (the position of its label among the classes)" : "");
  }
  return text;
}

std::string c_description(const Program& program, const ExportOptions& options, bool has_file) {
  const bool plain = *options.to == ExportTarget::c;
  const std::string prefix = *options.name + (plain ? "_" : "::");
  std::string text =
      fmt::format("   int {}predict(const double* numbers, const char* const* texts, double* out);\n\n", prefix) +
      c_columns(program) + "\n";
  text += fmt::format(
      "   A missing number is NAN, a missing text NULL or \"\"; texts are UTF-8. Returns 0, or 1 + the position in\n"
      "   {}columns of a column whose cell cannot be used; then `out` is left as it was.\n",
      prefix);
  if (has_file)
    text +=
        fmt::format("   Call {}load(\"{}.bin\") once before; without it the result is -1.\n", prefix, *options.name);
  text += "   Allocates nothing; any number of threads may predict at once.";
  if (plain)
    text += options.main ? fmt::format("\n   cc -O2 {0}.c -lm -o {0}; ./{0} < new.csv > predictions.csv", *options.name)
                         : " Link with the mathematical library (-lm).";
  return text;
}

std::string script_description(const Program& program, const ExportOptions& options, bool has_file) {
  std::string text =
      fmt::format("   import {{{}predict}} from \"./{}.mjs\";\n\n", has_file ? "load, " : "", *options.name);
  for (const ColumnStep& column : program.columns)
    if (column.cell >= 0)
      text += fmt::format("     row[\"{}\"] ({})\n", in_comment(column.name), cell_words(column.reader));
  text += "\n   A missing cell is null, NaN or \"\". A cell that cannot be used throws an Error that names its column.";
  if (has_file) text += fmt::format("\n   Call load(bytes of {}.bin) once before.", *options.name);
  return text;
}

}  // namespace

namespace {

std::string graph_description(const Program& program) {
  std::string text;
  for (const ColumnStep& column : program.columns) {
    if (column.cell < 0) continue;
    const bool date = column.reader == CellReader::date;
    text += fmt::format("{}: {}\n", column.name, date ? "date, seconds since 1970 in UTC" : cell_words(column.reader));
  }
  return text + "A missing number is NaN, a missing text \"\".";
}

}  // namespace

std::string describe_program(const Program& program, const ExportOptions& options, bool has_file) {
  std::string targets;
  for (const std::string& name : program.targets) targets += (targets.empty() ? "" : ", ") + in_comment(name);
  if (*options.to == ExportTarget::onnx)
    return fmt::format("A model that predicts {}, exported by weft {}.\n{}", targets, version(),
                       graph_description(program));
  const std::string body = *options.to == ExportTarget::js ? script_description(program, options, has_file)
                                                           : c_description(program, options, has_file);
  return fmt::format("/* {}: a model that predicts {}, exported by weft {}.\n\n{} */", *options.name, targets,
                     version(), body);
}

}  // namespace weft::detail
