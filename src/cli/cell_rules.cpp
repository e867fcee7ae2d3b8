#include "cli/cell_rules.hpp"

#include "cli/json.hpp"
#include "cli/read_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::cli {

namespace {

template <class T>
std::string one_of() {
  return fmt::format("{}", fmt::join(choice_names(T{}), ", "));
}

}  // namespace

void CellRules::add_to(App& command) {
  const char* const text = "{}: {}; not given: as in training";
  command.add_option("--missing", missing_, fmt::format(fmt::runtime(text), "missing cells", one_of<MissingCells>()))
      ->group("Reading");
  command
      .add_option("--unseen", unseen_,
                  fmt::format(fmt::runtime(text), "categories not seen in training", one_of<UnseenCategories>()))
      ->group("Reading");
}

Model CellRules::load(const std::string& path) const {
  const Model model = Model::load(path);
  if (missing_.empty() && unseen_.empty()) return model;
  ModelParts parts = model.parts();
  const EncodeOptions& trained = model.parts().encoder.options();
  parts.encoder = model.parts().encoder.with_rules(
      missing_.empty() ? trained.missing : parse_choice<MissingCells>("missing", missing_),
      unseen_.empty() ? trained.unseen : parse_choice<UnseenCategories>("unseen", unseen_));
  return Model(std::move(parts));
}

Data CellRules::read(const Model& model, const std::string& path, const ReadOptions& options, const Run& run) {
  return read_table(path, model.read_options(options), run);
}

Data CellRules::read_labelled(const Model& model, const std::string& path, const ReadOptions& options, const Run& run) {
  const Data data = read(model, path, options, run);
  const bool strict = model.parts().encoder.options().missing == MissingCells::error;
  return strict ? data : rows_with_target(data, model.target().names, run);
}

std::string with_warnings(const std::string& json, const std::vector<std::string>& warnings) {
  if (warnings.empty()) return json;
  Json object = Json::parse(json);
  object["warnings"] = warnings;
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weft::cli
