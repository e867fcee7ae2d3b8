#include <weft/describe.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"
#include "cli/train_data.hpp"
#include "cli/tune_report.hpp"

#include <cmath>
#include <cstdio>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

struct Arguments {
  std::string data;
  std::string model;
  std::string report;
  TestOptions test;
  Index repeats = 1;
  bool json = false;
  ReadOptions read;
  EncodeOptions encode;
  FamilyOptions family;
  FitOptions fit;
  TuneOptions tune;
  RunOptions run;
  std::string command;
};

struct Repeat {
  std::uint64_t seed = 1;
  TuneResult search;
  std::optional<Model> model;
  std::optional<Evaluation> test;
};

Model fit_winner(const Arguments& arguments, const TuneResult& search, const Data& rows, const Run& run) {
  const bool smallest = arguments.tune.smallest;
  ModelParts parts =
      fit(rows, search.family(smallest), search.fit(arguments.fit, smallest), arguments.encode, run).parts();
  parts.provenance["command"] = arguments.command;
  parts.provenance["alternatives"] = std::to_string(search.alternatives(smallest));
  return Model(std::move(parts));
}

void write_report(const Arguments& arguments, const Repeat& repeat, const TrainAndTest& data, const Run& run) {
  const Described subject{*repeat.model, data.train, data.test, repeat.search,
                          [&](const Data& rows) { return fit_winner(arguments, repeat.search, rows, run); }};
  write_file(arguments.report, describe(subject, run).to_html());
}

/// Split, search, refit, test, all by one seed.
Repeat run_once(const Arguments& arguments, const Data& all, Index repeat, const Run& run) {
  Repeat result;
  result.seed = arguments.family.seed + static_cast<std::uint64_t>(repeat);
  FamilyOptions family = arguments.family;
  family.seed = result.seed;
  TuneOptions options = arguments.tune;
  if (repeat > 0 && !options.log.empty()) options.log += fmt::format(".{}", repeat + 1);
  const TrainAndTest data = arguments.test.split(all, arguments.read, arguments.encode, result.seed, run);
  result.search = tune(data.train, family, arguments.fit, arguments.encode, options, run);
  if (arguments.model.empty() && arguments.report.empty() && !data.test) return result;
  result.model = fit_winner(arguments, result.search, data.train, run);
  if (repeat == 0 && !arguments.model.empty()) result.model->save(arguments.model);
  if (data.test) result.test = evaluate(*result.model, *data.test, run);
  if (repeat == 0 && !arguments.report.empty()) write_report(arguments, result, data, run);
  return result;
}

struct Spread {
  double mean = 0;
  double deviation = 0;
};

Spread spread(const std::vector<Repeat>& repeats, std::optional<double> Evaluation::*measure) {
  Spread result;
  const auto count = static_cast<double>(repeats.size());
  for (const Repeat& repeat : repeats) result.mean += ((*repeat.test).*measure).value() / count;
  for (const Repeat& repeat : repeats)
    result.deviation += std::pow(((*repeat.test).*measure).value() - result.mean, 2) / std::max(1.0, count - 1);
  result.deviation = std::sqrt(result.deviation);
  return result;
}

/// The measures all repeats have, by name.
std::vector<std::pair<const char*, std::optional<double> Evaluation::*>> measures(const std::vector<Repeat>& repeats) {
  const std::pair<const char*, std::optional<double> Evaluation::*> known[] = {
      {"error", &Evaluation::error}, {"auc", &Evaluation::auc}, {"logloss", &Evaluation::logloss},
      {"mse", &Evaluation::mse},     {"mae", &Evaluation::mae}, {"r2", &Evaluation::r2}};
  std::vector<std::pair<const char*, std::optional<double> Evaluation::*>> found;
  for (const auto& measure : known)
    if (std::all_of(repeats.begin(), repeats.end(),
                    [&](const Repeat& repeat) { return repeat.test && ((*repeat.test).*measure.second).has_value(); }))
      found.push_back(measure);
  return found;
}

void print_people(const Arguments& arguments, const std::vector<Repeat>& repeats) {
  print_search(repeats.front().search);
  if (!measures(repeats).empty()) {
    TextTable table({"test", repeats.size() > 1 ? "mean ± std" : "value"});
    for (const auto& [name, member] : measures(repeats)) {
      const Spread result = spread(repeats, member);
      table.add({name, repeats.size() > 1 ? fmt::format("{:.4g} ± {:.2g}", result.mean, result.deviation)
                                          : shown(result.mean)});
    }
    fmt::print("{}", table.text());
    if (repeats.size() > 1)
      fmt::print("over {} repeats of split, features and search; the tables above are those of the first\n",
                 repeats.size());
  }
  if (!arguments.model.empty()) fmt::print("model written to {}\n", arguments.model);
  if (!arguments.report.empty()) fmt::print("report written to {}\n", arguments.report);
}

void print_json(const Arguments& arguments, const std::vector<Repeat>& repeats) {
  Json json = search_json(repeats.front().search);
  if (!arguments.model.empty()) json["model"] = arguments.model;
  for (const auto& [name, member] : measures(repeats)) {
    const Spread result = spread(repeats, member);
    json["test"][name] = {{"mean", number(result.mean)}, {"std", number(result.deviation)}};
  }
  if (repeats.size() > 1) {
    json["repeats"] = Json::array();
    for (const Repeat& repeat : repeats) {
      Json one = {{"seed", repeat.seed}, {"score", number(repeat.search.winner().score)}};
      if (repeat.test) one["test"] = Json::parse(repeat.test->to_json());
      json["repeats"].push_back(one);
    }
  }
  fmt::print("{}\n", json.dump(2));
}

void run_tune(const Arguments& arguments) {
  arguments.test.check();
  check_value("repeats", static_cast<double>(arguments.repeats), Allowed::at_least(1));
  if (arguments.repeats > 1 && arguments.test.holdout == 0 && arguments.test.test.empty())
    throw Error(ErrorKind::option, "repeats are averaged on test rows, and there are none", "--repeats",
                "add --holdout 0.25 or --test FILE");
  for (const std::string& path : {arguments.model, arguments.report})
    if (!path.empty()) check_writable(path);
  Session session(arguments.run, arguments.json);
  const Data all = read_training(arguments.data, arguments.read);
  std::vector<Repeat> repeats;
  for (Index k = 0; k < arguments.repeats; ++k) repeats.push_back(run_once(arguments, all, k, session.run()));
  session.finish_progress();
  if (arguments.json)
    print_json(arguments, repeats);
  else
    print_people(arguments, repeats);
  std::fflush(stdout);
}

}  // namespace

void add_tune(CLI::App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("tune", "Choose family, sigma, gamma and lambda by cross-validation");
  command->footer(
      "Every lambda of a configuration and every fold come from one pass over the data. --family takes several names "
      "with\n"
      "commas, or all: the default union and every family of the papers.\n"
      "Example:\n  weft tune houses.csv --target price --family all --minutes 5 --log search.jsonl --model best.weft");
  auto arguments = std::make_shared<Arguments>();
  arguments->command = fmt::format("{}", fmt::join(command_line, " "));
  arguments->family.features = 500;
  command->add_option("data", arguments->data, "CSV, TSV, LIBSVM, .npy or IDX file (gzip or not) or builtin:NAME")
      ->required();
  command->add_option("--model", arguments->model, "fit the best configuration to all rows and write it here");
  command->add_option("--report", arguments->report,
                      "fit the best configuration and write a page about it (HTML, one file)");
  arguments->test.add_to(*command);
  command->add_option("--repeats", arguments->repeats,
                      "times to split, search and test anew, with the next seed each time (>= 1) [1]");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->tune, "Search");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Encoding");
  add_fields(*command, arguments->family, "Family");
  add_fields(*command, arguments->fit, "Fit");
  add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_tune(*arguments); });
}

}  // namespace weft::cli
