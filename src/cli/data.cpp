#include <weft/fetch.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <algorithm>

namespace weft::cli {

namespace {

struct ListArguments {
  FetchOptions options;
  bool verify = false;
  bool json = false;
};

struct FetchArguments {
  std::vector<std::string> names;
  FetchOptions options;
  bool json = false;
};

/// One state per file of the set; none where no folder is named.
using States = std::vector<FileState>;

Json set_json(const DataSet& set, const States& states) {
  Json json = {{"name", set.name},     {"task", set.task},         {"about", set.about},    {"origin", set.origin},
               {"source", set.source}, {"prepared", set.prepared}, {"files", Json::array()}};
  for (std::size_t i = 0; i < set.files.size(); ++i) {
    const DataFile& file = set.files[i];
    json["files"].push_back({{"name", file.name},
                             {"bytes", file.bytes},
                             {"rows", file.rows},
                             {"columns", file.columns},
                             {"sha256", file.sha256},
                             {"state", states.empty() ? Json() : Json(state_name(states[i]))}});
  }
  return json;
}

void print_set(const DataSet& set, const States& states) {
  fmt::print("{}: {} ({})\n", set.name, set.about, set.task);
  for (std::size_t i = 0; i < set.files.size(); ++i) {
    const DataFile& file = set.files[i];
    fmt::print("  {:<32} {:>8} bytes {:>6} × {:<3}", file.name, file.bytes, file.rows, file.columns);
    fmt::print("{}\n", states.empty() ? "" : fmt::format("  {}", state_name(states[i])));
  }
  fmt::print("  original: {}\n  made of:  {}\n\n", set.origin, set.source);
}

void run_list(const ListArguments& arguments) {
  const Session session({});
  const std::string folder = data_folder_or_none(arguments.options.data);
  Json sets = Json::array();
  std::size_t files = 0;
  std::size_t present = 0;
  for (const DataSet& set : catalogue()) {
    States states;
    for (const DataFile& file : set.files)
      if (!folder.empty()) states.push_back(file_state(folder, file, arguments.verify, session.run()));
    files += set.files.size();
    present += static_cast<std::size_t>(std::count(states.begin(), states.end(), FileState::present));
    if (arguments.json)
      sets.push_back(set_json(set, states));
    else
      print_set(set, states);
  }
  if (arguments.json)
    fmt::print("{}\n", Json{{"folder", folder.empty() ? Json() : Json(folder)}, {"sets", sets}}.dump(2));
  else if (folder.empty())
    fmt::print("{} files; which of them are there is said for the folder of --data or $WEFT_DATA\n", files);
  else
    fmt::print("{} of {} files are in {}{}\n", present, files, folder, arguments.verify ? ", verified" : "");
}

std::vector<DataSet> wanted_sets(const std::vector<std::string>& names) {
  if (names == std::vector<std::string>{"all"}) return catalogue();
  std::vector<DataSet> sets;
  for (const std::string& name : names) sets.push_back(find_data_set(name));
  return sets;
}

void run_fetch(const FetchArguments& arguments) {
  Session session({}, arguments.json);
  Json all = Json::array();
  for (const DataSet& set : wanted_sets(arguments.names))
    for (const FetchedFile& file : fetch(set, arguments.options, session.run())) {
      session.finish_progress();
      if (arguments.json)
        all.push_back({{"set", set.name}, {"file", file.path}, {"downloaded", file.downloaded}});
      else
        fmt::print("{}: {}\n", file.path, file.downloaded ? "downloaded and verified" : "there already, verified");
    }
  if (arguments.json) fmt::print("{}\n", all.dump(2));
}

void add_list(App& data) {
  auto* command =
      data.add_subcommand("list", "Say which files there are, which of them you have, and where they come from");
  command->footer("Example:\n  weft data list --data data --verify");
  auto arguments = std::make_shared<ListArguments>();
  command->add_flag("--verify", arguments->verify, "compare the SHA-256 of every file, not only its size");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->options, "Data", {"data"});
  command->callback([arguments] { run_list(*arguments); });
}

void add_fetch(App& data) {
  auto* command = data.add_subcommand("fetch", "Download data sets from a mirror and check them by SHA-256");
  command->footer(
      "Files that are there already and agree are left alone; Ctrl-C leaves no partial file.\n"
      "Example:\n  weft data fetch adult wine --data data --from https://example.org/weft-data");
  auto arguments = std::make_shared<FetchArguments>();
  command->add_option("names", arguments->names, "data sets that weft data list names, or all")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->options, "Data");
  command->callback([arguments] { run_fetch(*arguments); });
}

}  // namespace

void add_data(App& app) {
  auto* command = app.add_subcommand("data", "List and download the data sets of the papers");
  command->footer("Example:\n  weft data list --data data");
  command->require_subcommand();
  add_list(*command);
  add_fetch(*command);
}

}  // namespace weft::cli
