#include <weft/write.hpp>

#include "cli/options.hpp"
#include "cli/session.hpp"
#include "commands.hpp"
#include "reproduction.hpp"

#include <cstdio>
#include <memory>

#include <fmt/ranges.h>

namespace weft::papers {

namespace {

struct RunArguments {
  std::string experiment;
  bool tiny = false;
  bool quick = false;
  bool full = false;
  bool json = false;
  ReproduceOptions options;
  RunOptions run;
};

void list_experiments(bool json) {
  if (json) {
    Json list = Json::array();
    for (const ExperimentInfo& info : experiments())
      list.push_back({{"name", info.name}, {"source", info.source}, {"title", info.title}, {"data", info.data}});
    fmt::print("{}\n", list.dump(2));
    return;
  }
  cli::TextTable table({"experiment", "of"});
  for (const ExperimentInfo& info : experiments()) table.add({info.name, info.source + ": " + info.title});
  fmt::print("{}\nweft-papers run NAME --data DIR runs one, weft-papers run all --data DIR all of them.\n",
             table.text());
}

Json to_json(const Reproduction& result, const ReproduceOptions& options) {
  return {{"experiment", result.experiment.name},
          {"cells", result.cells},
          {"resumed", result.resumed},
          {"unfinished", result.unfinished},
          {"failed", result.failed.size()},
          {"seconds", result.seconds},
          {"cell_seconds", result.cell_seconds},
          {"missing", result.missing},
          {"better", result.better},
          {"matches", result.matches},
          {"worse", result.worse},
          {"report", fmt::format("{}/{}.html", options.out, result.experiment.name)}};
}

void print_result(const Reproduction& result, const ReproduceOptions& options) {
  fmt::print("{}\n", result.report.to_markdown());
  fmt::print("{} better, {} match, {} worse; {:.0f} s ({} of {} cells from the log)\nreport: {}/{}.html\n",
             result.better, result.matches, result.worse, result.seconds, result.resumed, result.cells, options.out,
             result.experiment.name);
  if (result.unfinished > 0)
    fmt::print("time limit reached with {} cells unfinished; the same command continues from there\n",
               result.unfinished);
  if (!result.failed.empty())
    fmt::print("{} cells failed (the report gives the reasons); the same command tries them again\n",
               result.failed.size());
  if (!result.missing.empty()) fmt::print("left out, not in the data folder: {}\n", fmt::join(result.missing, ", "));
  std::fflush(stdout);
}

/// All that have data; the others are named.
std::vector<std::string> wanted_experiments(const RunArguments& arguments) {
  if (arguments.experiment != "all") return {arguments.experiment};
  if (!arguments.options.only.empty())
    throw Error(ErrorKind::option, "the cells of different experiments have different keys", "‹only›",
                "name one experiment");
  std::vector<std::string> names;
  for (const ExperimentInfo& info : experiments()) {
    if (missing_data(info, arguments.options).size() < info.data.size())
      names.push_back(info.name);
    else
      fmt::print(stderr, "{} is left out: none of {} is present\n", info.name, fmt::join(info.data, ", "));
  }
  if (names.empty())
    throw Error(ErrorKind::data, "no data set of any experiment is present", "--data",
                "weft-papers data lists the files");
  return names;
}

void run_experiments(RunArguments& arguments) {
  arguments.options.size = arguments.full ? Size::full : arguments.tiny ? Size::tiny : Size::quick;
  cli::Session session(arguments.run, arguments.json);
  Json json = Json::array();
  std::vector<Reproduction> results;
  for (const std::string& name : wanted_experiments(arguments)) {
    if (!results.empty() && session.run().out_of_time()) break;
    results.push_back(reproduce(name, arguments.options, session.run()));
    session.finish_progress();
    if (arguments.json)
      json.push_back(to_json(results.back(), arguments.options));
    else
      print_result(results.back(), arguments.options);
  }
  if (arguments.experiment == "all") {
    const std::string path = arguments.options.out + "/all.html";
    write_file(path, combined_report(results).to_html());
    if (!arguments.json) fmt::print("all of them: {}\n", path);
  }
  if (arguments.json) fmt::print("{}\n", json.dump(2));
}

}  // namespace

void add_list(cli::App& app) {
  auto* command = app.add_subcommand("list", "List the experiments");
  command->footer("Example:\n  weft-papers list");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  command->callback([json] { list_experiments(*json); });
}

void add_run(cli::App& app) {
  auto* command = app.add_subcommand("run", "Reproduce tables and figures of the papers");
  command->footer(
      "Finished cells are kept in OUT/EXPERIMENT.jsonl: an interrupted run continues from there. With --max-time no "
      "cell "
      "is\n"
      "begun after that many seconds, and the report shows those that are finished.\n"
      "--only runs and shows a part: --only protocol=paper, --only set=wine,seed=1.\n"
      "Example:\n  weft-papers run elss-figure-2 --data data --full --out results");
  auto arguments = std::make_shared<RunArguments>();
  command->add_option("experiment", arguments->experiment, "name of an experiment, or all")->required();
  auto* tiny =
      command->add_flag("--tiny", arguments->tiny, "the smallest sizes, in seconds, to check that everything runs");
  auto* quick = command->add_flag("--quick", arguments->quick, "a reduced version in minutes (the default)");
  quick->excludes(*tiny);
  command->add_flag("--full", arguments->full, "the papers' sizes: configurations, seeds, features")
      ->excludes(*quick)
      ->excludes(*tiny);
  command->add_flag("--json", arguments->json, "print JSON");
  cli::add_fields(*command, arguments->options, "Experiments");
  cli::add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_experiments(*arguments); });
}

}  // namespace weft::papers
