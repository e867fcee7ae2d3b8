#include <weft/export.hpp>
#include <weft/write.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/json_text.hpp"
#include "export/writers.hpp"

namespace weft {

using namespace detail;

namespace {

void check_export(const ExportOptions& options) {
  check_options(options);
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (options.name->empty() || !std::isalpha(static_cast<unsigned char>(options.name->front())) ||
      !std::all_of(options.name->begin(), options.name->end(), in_name))
    throw Error(ErrorKind::option, fmt::format("'{}' cannot begin the names of a program", *options.name), "‹name›",
                "use a letter, then letters, digits and _");
  if (options.main && (*options.to == ExportTarget::js || *options.to == ExportTarget::onnx))
    throw Error(ErrorKind::option, fmt::format("a program is added to C and C++, not to {}", name_of(*options.to)),
                "‹main›", "leave it out, or use ‹to› c");
}

struct Ending {
  const char* text;
  ExportTarget to;
};
constexpr Ending kEndings[] = {{".c", ExportTarget::c},    {".h", ExportTarget::cpp},  {".hpp", ExportTarget::cpp},
                               {".hh", ExportTarget::cpp}, {".cc", ExportTarget::cpp}, {".cpp", ExportTarget::cpp},
                               {".mjs", ExportTarget::js}, {".js", ExportTarget::js},  {".onnx", ExportTarget::onnx}};

ExportTarget target_of_file(const std::filesystem::path& path) {
  for (const Ending& ending : kEndings)
    if (path.extension() == ending.text) return ending.to;
  throw Error(ErrorKind::option, fmt::format("the name '{}' does not say what to write", path.string()), "‹to›",
              fmt::format("give it, as {}", fmt::join(choice_names(ExportTarget{}), ", ")));
}

/// "price-2.c" begins names with price_2.
std::string name_of_file(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0 ? "model_" + name : name;
}

}  // namespace

ExportedModel export_model(const Model& model, const ExportOptions& options) {
  check_export(options);
  const Program program = program_of(model, options);
  if (program.parameters.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorKind::option, "a model of more than 2,147,483,647 parameters cannot be exported", {},
                "prune it first (weft prune)");
  ExportedModel exported;
  exported.to = options.to;
  exported.name = *options.name;
  exported.parameters = static_cast<Index>(program.parameters.size());
  exported.number_columns = program.number_columns();
  exported.text_columns = program.text_columns();
  exported.outputs = program.value_names();
  if (*options.to == ExportTarget::onnx)
    write_onnx(program, options, exported);
  else
    write_source(program, options, exported);
  return exported;
}

ExportedModel export_file(const Model& model, const std::string& path, ExportOptions options) {
  if (!options.to.given()) options.to = target_of_file(path);
  if (!options.name.given()) options.name = name_of_file(path);
  ExportedModel exported = export_model(model, options);
  if (!exported.parameters_file.empty()) {
    exported.files = {std::filesystem::path(path).replace_extension(".bin").string()};
    write_file(exported.files.front(), exported.parameters_file);
  }
  write_file(path, exported.contents);
  exported.files.insert(exported.files.begin(), path);
  return exported;
}

std::string ExportedModel::to_json() const {
  Json json = {{"to", name_of(to)},
               {"name", name},
               {"bytes", contents.size()},
               {"parameters_file_bytes", parameters_file.size()},
               {"parameters", parameters},
               {"number_columns", texts_to_json(number_columns)},
               {"text_columns", texts_to_json(text_columns)},
               {"outputs", texts_to_json(outputs)},
               {"files", texts_to_json(files)}};
  return json_document(json);
}

}  // namespace weft
