#include <weft/fields.hpp>

#include "catalogue.hpp"
#include "cli/options.hpp"
#include "commands.hpp"
#include "json.hpp"

#include <memory>

#include <fmt/format.h>

namespace weft::papers {

namespace {

struct DataOptions {
  std::string data = "";

  static auto fields() {
    return std::tuple{
        Field{"data", &DataOptions::data, Allowed::anything(), "folder of the data sets; not given: $WEFT_DATA"}};
  }
};

struct DataArguments {
  DataOptions options;
  bool json = false;
};

/// "present", "missing", "other size", or nothing where no folder is named.
std::string state_text(const std::string& folder, const DataFile& file) {
  return folder.empty() ? "" : state_name(file_state(folder, file));
}

Json set_json(const DataSet& set, const std::string& folder) {
  Json json = {{"name", set.name},     {"task", name_of(set.task)}, {"about", set.about},    {"origin", set.origin},
               {"source", set.source}, {"prepared", set.prepared},  {"files", Json::array()}};
  for (const DataFile& file : set.files)
    json["files"].push_back({{"name", file.name},
                             {"bytes", file.bytes},
                             {"rows", file.rows},
                             {"columns", file.columns},
                             {"state", folder.empty() ? Json() : Json(state_text(folder, file))}});
  return json;
}

void print_set(const DataSet& set, const std::string& folder) {
  fmt::print("{}: {} ({})\n", set.name, set.about, name_of(set.task));
  for (const DataFile& file : set.files)
    fmt::print("  {:<32} {:>8} bytes {:>6} × {:<3}  {}\n", file.name, file.bytes, file.rows, file.columns,
               state_text(folder, file));
  fmt::print("  original: {}\n  made of:  {}\n  changes:  {}\n\n", set.origin, set.source, set.prepared);
}

void run_data(const DataArguments& arguments) {
  const std::string folder = data_folder_or_none(arguments.options.data);
  if (arguments.json) {
    Json sets = Json::array();
    for (const DataSet& set : catalogue()) sets.push_back(set_json(set, folder));
    fmt::print("{}\n", Json{{"folder", folder.empty() ? Json() : Json(folder)}, {"sets", sets}}.dump(2));
    return;
  }
  int files = 0, present = 0;
  for (const DataSet& set : catalogue()) {
    print_set(set, folder);
    for (const DataFile& file : set.files) {
      ++files;
      present += state_text(folder, file) == "present";
    }
  }
  if (folder.empty())
    fmt::print("{} files; name their folder with --data or $WEFT_DATA to see which of them are present\n", files);
  else
    fmt::print("{} of {} files are in {}\n", present, files, folder);
}

}  // namespace

void add_data(cli::App& app) {
  auto* command =
      app.add_subcommand("data", "List the files of the data sets: which are present, where each comes from");
  command->footer(
      "The files are prepared from the originals as described under \"changes\": gzip CSV with a header line, the "
      "target in the "
      "last\n"
      "column and named target. Nothing is downloaded.\n"
      "Example:\n  weft-papers data --data data");
  auto arguments = std::make_shared<DataArguments>();
  command->add_flag("--json", arguments->json, "print JSON");
  cli::add_fields(*command, arguments->options, "Data");
  command->callback([arguments] { run_data(*arguments); });
}

}  // namespace weft::papers
