#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/measures.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/processes.hpp"
#include "cli/session.hpp"
#include "cli/shared_training.hpp"
#include "cli/training_arguments.hpp"
#include "cli/tune_report.hpp"

#include <cmath>

namespace weft::cli {

namespace {

struct TuneArguments : TrainingArguments {
  Index repeats = 1;
};

struct Repeat {
  std::uint64_t seed = 1;
  std::optional<TuneResult> search;  ///< none: the portfolio's fit was the search
  FitReport fit;
  std::optional<TargetInfo> target;  ///< of the model, where one was fitted
  std::optional<Evaluation> test;
};

/// Split, search, refit, test, all by one seed.
Repeat run_once(TuneArguments arguments, const Data& all, Index repeat, Session& session) {
  const Run& run = session.run();
  Repeat result;
  result.seed = *arguments.family.seed + static_cast<std::uint64_t>(repeat);
  arguments.family.seed = result.seed;
  const TrainAndTest data = arguments.test.split(all, arguments.read, arguments.encode, result.seed, run);
  const LabelledData rows{data.train, std::nullopt, arguments.encode};
  if (!std::holds_alternative<PortfolioOptions>(arguments.fit.method)) {
    TuneRequest request = arguments.search(rows, run);
    if (repeat > 0 && !request.options.log->empty())
      request.options.log = fmt::format("{}.{}", *request.options.log, repeat + 1);
    result.search = run_search(request, session, arguments.json);
    if (!is_first_process()) return result;
    if (arguments.model.empty() && arguments.report.empty() && !data.test) return result;
  }
  const TuneResult* found = result.search ? &*result.search : nullptr;
  const Model model = fit_model(arguments, rows, found, session, run);
  if (!is_first_process()) return result;
  result.fit = model.parts().report;
  result.target = model.target();
  if (repeat == 0 && !arguments.model.empty()) model.save(arguments.model);
  if (data.test) result.test = evaluate(model, *data.test, run);
  if (repeat == 0 && !arguments.report.empty()) write_report(arguments, model, rows, data.test, found, run);
  return result;
}

/// Of the measures that all repeats have.
struct Spread {
  Evaluation mean;
  Evaluation deviation;
};

Spread spread(const std::vector<Repeat>& repeats, const std::vector<Measure>& measures) {
  Spread result;
  const auto count = static_cast<double>(repeats.size());
  for (const Measure& measure : measures) {
    double mean = 0, squares = 0;
    for (const Repeat& repeat : repeats) mean += ((*repeat.test).*measure.value).value() / count;
    for (const Repeat& repeat : repeats)
      squares += std::pow(((*repeat.test).*measure.value).value() - mean, 2) / std::max(1.0, count - 1);
    result.mean.*measure.value = mean;
    result.deviation.*measure.value = std::sqrt(squares);
  }
  return result;
}

/// The measures all repeats have, by name.
std::vector<Measure> measures(const std::vector<Repeat>& repeats) {
  std::vector<Measure> found;
  for (const Measure& measure : kMeasures)
    if (std::all_of(repeats.begin(), repeats.end(),
                    [&](const Repeat& repeat) { return repeat.test && (*repeat.test).*measure.value; }))
      found.push_back(measure);
  return found;
}

void print_people(const TuneArguments& arguments, const std::vector<Repeat>& repeats) {
  const Repeat& first = repeats.front();
  if (first.target) print_out("{}\n\n", target_line(*first.target));
  if (first.search)
    print_search(*first.search);
  else
    print_tried(first.fit);
  if (const std::vector<Measure> all = measures(repeats); !all.empty()) {
    const Spread result = spread(repeats, all);
    TextTable table({"test", repeats.size() > 1 ? "mean ± std" : "value"});
    for (const Measure& measure : all) {
      if (!is_shown(first.test->task, measure)) continue;
      const double mean = (result.mean.*measure.value).value();
      const double deviation = (result.deviation.*measure.value).value();
      table.add({measure.name, repeats.size() > 1 ? fmt::format("{:.4g} ± {:.2g}", mean, deviation) : shown(mean)});
    }
    print_out("{}", table.text());
    if (repeats.size() > 1)
      print_out("over {} repeats of split, features and search; the tables above are those of the first\n",
                repeats.size());
  }
  if (!arguments.model.empty()) print_out("model written to {}\n", arguments.model);
  if (!arguments.report.empty()) print_out("report written to {}\n", arguments.report);
}

void print_json(const TuneArguments& arguments, const std::vector<Repeat>& repeats) {
  const Repeat& first = repeats.front();
  Json json = Json::parse(first.search ? first.search->to_json() : first.fit.to_json());
  if (!arguments.model.empty()) json["model"] = arguments.model;
  if (!arguments.report.empty()) json["page"] = arguments.report;
  const std::vector<Measure> all = measures(repeats);
  const Spread result = spread(repeats, all);
  const Json means = Json::parse(result.mean.to_json());
  const Json deviations = Json::parse(result.deviation.to_json());
  for (const Measure& measure : all)
    json["test"][measure.name] = {{"mean", means.at(measure.name)}, {"std", deviations.at(measure.name)}};
  if (repeats.size() > 1) {
    json["repeats"] = Json::array();
    for (const Repeat& repeat : repeats) {
      Json one = {{"seed", repeat.seed}};
      if (repeat.search) one["score"] = Json::parse(repeat.search->winner().to_json()).at("score");
      if (repeat.test) one["test"] = Json::parse(repeat.test->to_json());
      json["repeats"].push_back(one);
    }
  }
  print_line(json.dump(2));
}

void run_tune(TuneArguments& arguments) {
  arguments.check();
  arguments.search_portfolio();
  if (under_mpirun()) {
    check_shared_work(arguments);
    processes();
  }
  check_value("repeats", static_cast<double>(arguments.repeats), Allowed::at_least(1));
  if (arguments.repeats > 1 && arguments.test.holdout == 0 && arguments.test.test.empty())
    throw Error(ErrorKind::option, "repeats are averaged over test rows, and there are no test rows", "--repeats",
                "add --holdout 0.25 or --test FILE");
  Session session(arguments.run, arguments.json);
  const Data all = read_training(arguments.data, arguments.read, arguments.encode, session.run());
  std::vector<Repeat> repeats;
  arguments.test.check_table(all, arguments.read, arguments.encode, session.run());
  for (Index k = 0; k < arguments.repeats; ++k) repeats.push_back(run_once(arguments, all, k, session));
  if (!is_first_process()) return wait_for_first_process();
  session.finish_progress();
  if (arguments.json)
    print_json(arguments, repeats);
  else if (verbosity() != Verbosity::quiet)
    print_people(arguments, repeats);
  wait_for_first_process();
}

}  // namespace

void add_tune(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("tune", "Search for the best model and show what was tried");
  command->footer(
      "Alone it searches the portfolio of learned kernels, as weft train --auto does. With --family or --fit it "
      "chooses\n"
      "family, sigma, gamma and lambda by cross-validation: every lambda of a configuration and every fold come from "
      "one\n"
      "pass over the data. --family takes several names with commas, or all: the union that --fast uses and every "
      "family of\nthe papers.\n"
      "Example:\n  weft tune houses.csv --target price --family all --minutes 5 --log search.jsonl --model best.weft");
  auto arguments = std::make_shared<TuneArguments>();
  arguments->family.features = default_value(500);
  add_fields(*command, arguments->tune, "Search");
  arguments->add_to(*command, command_line, "fit the best configuration to all rows and write it to this file");
  command->add_option("--repeats", arguments->repeats,
                      "number of repetitions of split, search and test, each with the next seed (>= 1) [1]");
  command->common({"target", "task", "drop", "group", "time", "family", "fit", "features", "minutes", "metric", "folds",
                   "configurations", "log", "seed", "quiet", "verbose", "config"});
  command->callback([arguments] { run_tune(*arguments); });
}

}  // namespace weft::cli
