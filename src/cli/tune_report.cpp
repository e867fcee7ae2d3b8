#include "cli/tune_report.hpp"

#include <weft/distributed.hpp>

#include "cli/processes.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace weft::cli {

namespace {

constexpr std::size_t kShown = 10;

std::string with_error(double value, double error) {
  return fmt::format("{:.4g} ± {:.2g}", value, error);
}

void print_best(const TuneResult& result) {
  const std::vector<std::size_t> order = result.ranking();
  TextTable table({"family", "sigma", "bandwidth", "lambda", name_of(result.metric), "rows"});
  for (std::size_t k = 0; k < std::min(kShown, order.size()); ++k) {
    const Trial& trial = result.trials[order[k]];
    table.add({trial.name(), fmt::format("{:.3g}", trial.bandwidth.value_or(*trial.family.sigma)), trial.width(),
               trial.lambda ? fmt::format("{:.2g}", *trial.lambda) : "left to the fit",
               with_error(trial.score, trial.standard_error), fmt::format("{:.0f} %", 100 * trial.rows)});
  }
  print_out("{}\n", table.text());
}

void print_families(const TuneResult& result) {
  struct Tried {
    Index count = 0;
    Index failed = 0;
    double seconds = 0;
    const Trial* best = nullptr;
  };
  std::vector<std::string> names;
  std::map<std::string, Tried> families;
  for (const std::size_t k : result.ranking())
    if (families.try_emplace(result.trials[k].name()).second) {
      names.push_back(result.trials[k].name());
      families[names.back()].best = &result.trials[k];
    }
  for (const Trial& trial : result.trials) {
    Tried& tried = families[trial.name()];
    ++tried.count;
    tried.failed += trial.failed() ? 1 : 0;
    tried.seconds += trial.seconds;
  }
  TextTable table({"family", "tried", "failed", std::string("best ") + name_of(result.metric), "seconds"});
  for (const std::string& name : names) {
    const Tried& tried = families[name];
    table.add({name, std::to_string(tried.count), std::to_string(tried.failed),
               with_error(tried.best->score, tried.best->standard_error), fmt::format("{:.1f}", tried.seconds)});
  }
  print_out("{}\n", table.text());
}

/// As weft train takes them.
std::string options_of(const Trial& trial) {
  std::string text;
  if (trial.kernel.empty())
    text = fmt::format(" --family {} --features {} --sigma {}", *trial.family.family, *trial.family.features,
                       *trial.family.sigma);
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) text += fmt::format(" --{} {}", name, *value);
  };
  add("gamma", trial.family.gamma);
  add("theta", trial.family.theta);
  add("kappa", trial.family.kappa);
  add("shrink", trial.family.shrink);
  add("bandwidth", trial.bandwidth);
  add("lambda", trial.lambda);
  return text;
}

void print_curve(const TuneResult& result) {
  if (result.curve.size() < 2) return;
  TextTable table({"features", name_of(result.metric), "lambda", ""});
  for (std::size_t k = 0; k < result.curve.size(); ++k) {
    const CurvePoint& point = result.curve[k];
    table.add({std::to_string(point.features), with_error(point.score, point.standard_error),
               fmt::format("{:.2g}", point.lambda), k == result.recommended ? "recommended" : ""});
  }
  print_out("{}", table.text());
  print_out("{} features are the fewest within one standard error of the best (--smallest fits that many)\n\n",
            result.curve[result.recommended].features);
}

}  // namespace

TuneResult run_search(TuneRequest request, Session& session, bool json) {
  request.on_stop = [&](const TuneResult& found) {
    session.finish_progress();
    if (json) {
      print_line(found.to_json());
    } else {
      print_search(found);
      const std::string& log = request.options.log;
      print_out(
          "stopped after {} of {} configurations. To fit the best of them, add to the options of this search for "
          "weft train:\n {}\n{}\n",
          found.trials.size(), found.planned, options_of(found.winner()),
          log.empty() ? "A search with --log FILE can be continued."
                      : fmt::format("The same command goes on from {}.", log));
    }
    std::fflush(stdout);
  };
  return under_mpirun() ? tune(request, processes()) : tune(request);
}

void print_search(const TuneResult& result) {
  print_best(result);
  print_families(result);
  print_curve(result);
  if (result.leave_one_out)
    print_out("best by leave-one-out: {} {}, generalised cross-validation: mse {}\n", name_of(result.metric),
              shown(*result.leave_one_out), shown(*result.generalised));
  print_out("{} of {} configurations in {:.1f} s{}", result.trials.size(), result.planned, result.seconds,
            result.resumed > 0 ? fmt::format(", {} of them from the log", result.resumed) : "");
  if (result.saved_by_sums > 0)
    print_out("; sharing saved about {:.1f} s of projections and {:.1f} s of sums", result.saved_by_projections,
              result.saved_by_sums);
  print_out("\n");
  if (result.out_of_time) print_out("note: time limit reached; this is the best result so far\n");
  for (const std::string& note : result.notes) print_out("note: {}\n", note);
  print_out("\n");
}

void print_tried(const FitReport& report) {
  TextTable table({"candidate", "rows or landmarks", "bandwidth", "lambda", "error", "weight"});
  for (const TriedCandidate& candidate : report.tried)
    table.add({candidate.partial ? candidate.name + " (part of the rows)" : candidate.name,
               std::to_string(candidate.size), fmt::format("{:.3g}", candidate.bandwidth),
               fmt::format("{:.2g}", candidate.lambda), fmt::format("{:.4g}", candidate.error),
               candidate.weight > 0 ? fmt::format("{:.2g}", candidate.weight) : ""});
  print_out("{}error: mean squared error of held-out rows, in units of the target's variance", table.text());
  if (const auto error = report.number("held_out_error")) print_out("; of the weighted average {:.4g}", *error);
  print_out("\n\n");
}

}  // namespace weft::cli
