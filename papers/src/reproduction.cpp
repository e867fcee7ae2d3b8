#include "reproduction.hpp"

#include <weft/version.hpp>
#include <weft/write.hpp>

#include "cell_log.hpp"
#include "dense.hpp"
#include "memory.hpp"
#include "parallel.hpp"
#include "stopwatch.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const Experiment& find_experiment(const std::string& name) {
  const auto& all = all_experiments();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.info.name == name; });
  if (found == all.end())
    throw Error(ErrorKind::option, fmt::format("there is no experiment '{}'", name), "",
                "weft-papers list names them all");
  return *found;
}

std::vector<std::string> missing_from(const DataFolder& folder, const ExperimentInfo& info) {
  std::vector<std::string> missing;
  for (const std::string& name : info.data)
    if (!folder.has(name)) missing.push_back(name);
  return missing;
}

/// The members that `only` names, as text.
std::map<std::string, std::string> wanted_members(const std::string& only) {
  std::map<std::string, std::string> members;
  for (std::size_t first = 0; first < only.size();) {
    const std::size_t comma = std::min(only.find(',', first), only.size());
    const std::string member = only.substr(first, comma - first);
    const std::size_t equals = member.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::option, fmt::format("'{}' is no NAME=VALUE", member), "‹only›",
                  "write it as in protocol=paper,set=wine");
    members[member.substr(0, equals)] = member.substr(equals + 1);
    first = comma + 1;
  }
  return members;
}

bool has_members(const Json& key, const std::map<std::string, std::string>& members) {
  return std::all_of(members.begin(), members.end(), [&](const auto& member) {
    const auto found = key.find(member.first);
    return found != key.end() &&
           (found->is_string() ? found->template get<std::string>() : found->dump()) == member.second;
  });
}

/// What the experiment computes with these data and this size, or the part of it that `only` names.
std::vector<Json> plan_of(const Experiment& experiment, const Bench& bench, const std::string& only) {
  std::vector<Json> plan = experiment.plan(bench);
  std::erase_if(plan, [members = wanted_members(only)](const Json& key) { return !has_members(key, members); });
  if (plan.empty() && !only.empty())
    throw Error(ErrorKind::option, fmt::format("no cell of {} is {}", experiment.info.name, only), "‹only›",
                fmt::format("a key is, for example, {}", experiment.plan(bench).front().dump()));
  return plan;
}

/// The cells of a plan, from the log or computed, several at a time.
class CellRunner {
 public:
  CellRunner(const Experiment& experiment, const Bench& bench, const std::string& only, CellLog& log)
      : experiment_(experiment), bench_(bench), log_(log), plan_(plan_of(experiment, bench, only)) {}

  std::vector<Cell> run(Reproduction& result) {
    std::vector<const Json*> open;
    for (const Json& key : plan_)
      if (const Cell* const cell = log_.find(key); cell == nullptr || has_failed(*cell)) open.push_back(&key);
    finished_ = plan_.size() - open.size();
    result.resumed = static_cast<Index>(finished_);
    result.cells = static_cast<Index>(plan_.size());
    report();
    const auto left = static_cast<Index>(open.size());
    const int at_once = experiment_.timed ? 1 : static_cast<int>(std::min<Index>(bench_.run.thread_count(), left));
    const Bench each = bench_of_a_cell(at_once);
    const BlasThreads blas_threads(1);  // of the cells' own products: the library sees to itself
    for_each_of(left, at_once, [&](Index k) { compute(*open[static_cast<std::size_t>(k)], each); });
    std::vector<Cell> cells;
    for (const Json& key : plan_)
      if (const Cell* const cell = log_.find(key)) {
        (has_failed(*cell) ? result.failed : cells).push_back(*cell);
        result.cell_seconds += cell->seconds;
      }
    result.unfinished = result.cells - static_cast<Index>(cells.size() + result.failed.size());
    return cells;
  }

 private:
  static bool has_failed(const Cell& cell) { return cell.values.contains("failure"); }

  /// Without a progress line of its own: the cells are the progress. The time limit is for the cells, not for their
  /// fits.
  Bench bench_of_a_cell(int at_once) const {
    Bench bench = bench_;
    bench.run.on_progress = {};
    bench.run.max_seconds = 0;
    bench.run.max_memory = memory_limit(bench.run) / std::max(1, at_once);
    if (at_once > 1) bench.run.threads = 1;
    return bench;
  }

  void compute(const Json& key, const Bench& bench) {
    bench.run.check_cancelled();
    if (bench_.run.out_of_time()) return;  // for a later run
    const Stopwatch watch;
    Json values;
    try {
      values = experiment_.compute(key, bench);
    } catch (const Error& error) {
      bench.run.check_cancelled();  // which is no failure of the cell
      values = {{"failure", error.what()}};
    }
    const std::lock_guard lock(mutex_);
    log_.add({key, std::move(values), watch.seconds()});
    ++finished_;
    report();
  }

  void report() const {
    bench_.run.report(experiment_.info.name, static_cast<double>(finished_), static_cast<double>(plan_.size()));
  }

  const Experiment& experiment_;
  const Bench& bench_;
  CellLog& log_;
  std::vector<Json> plan_;
  std::size_t finished_ = 0;
  std::mutex mutex_;  // of the log and of what is finished
};

void count_verdicts(Reproduction& result) {
  for (const ReportSection& section : result.report.sections)
    for (const ReportTable& table : section.tables)
      for (const auto& row : table.rows)
        for (const ReportCell& cell : row) {
          result.better += cell.verdict == "better";
          result.matches += cell.verdict == "matches";
          result.worse += cell.verdict == "worse";
        }
}

/// Of the cells' keys, where they have one: "1, 2, 3".
std::string seeds_text(const std::vector<Cell>& cells) {
  std::set<std::int64_t> seeds;
  for (const Cell& cell : cells)
    if (cell.key.contains("seed")) seeds.insert(cell.key.at("seed").get<std::int64_t>());
  return fmt::format("{}", fmt::join(seeds, ", "));
}

std::string command_text(const std::string& name, Size size, const std::string& only = "") {
  const char* const flag = size == Size::tiny ? "tiny" : size == Size::quick ? "quick" : "full";
  return fmt::format("weft-papers run {} --{}{} --data DIR --out DIR", name, flag,
                     only.empty() ? "" : " --only " + only);
}

/// What could not be computed, and why.
ReportSection failures(const std::vector<Cell>& failed) {
  ReportTable table{.caption = "cells without a result; the same command tries them again",
                    .columns = {"cell", "reason"}};
  for (const Cell& cell : failed) table.rows.push_back({cell.key.dump(), text_of(cell.values, "failure")});
  return {.heading = "What failed", .tables = {std::move(table)}};
}

void add_facts(Reproduction& result, const std::vector<Cell>& cells, const std::string& only, const Run& run) {
  auto& facts = result.report.facts;
  facts.emplace_back("command", command_text(result.experiment.name, result.size, only));
  facts.emplace_back("weft", version());
  facts.emplace_back("machine", machine_text(run));
  if (const std::string seeds = seeds_text(cells); !seeds.empty()) facts.emplace_back("seeds", seeds);
  facts.emplace_back("time", fmt::format("{} cells, {:.0f} s in total", cells.size(), result.cell_seconds));
  if (result.unfinished > 0)
    facts.emplace_back("unfinished",
                       fmt::format("{} of {} cells: the same command continues", result.unfinished, result.cells));
  if (!result.failed.empty())
    facts.emplace_back("failed", fmt::format("{} of {} cells", result.failed.size(), result.cells));
  if (!result.missing.empty())
    facts.emplace_back("left out", fmt::format("{}: not in the data folder", fmt::join(result.missing, ", ")));
}

}  // namespace

std::vector<ExperimentInfo> experiments() {
  std::vector<ExperimentInfo> infos;
  for (const Experiment& experiment : all_experiments()) infos.push_back(experiment.info);
  return infos;
}

std::vector<std::string> missing_data(const ExperimentInfo& experiment, const ReproduceOptions& options) {
  return missing_from(DataFolder(options.data), experiment);
}

Report combined_report(const std::vector<Reproduction>& results) {
  Report report{.title = "Reproduction of the papers"};
  ReportTable table{.caption = "verdicts against the papers' figures, where they give any",
                    .columns = {"experiment", "of", "cells", "failed", "better", "matches", "worse", "seconds"}};
  report.sections.push_back({.heading = "All experiments"});
  for (const Reproduction& result : results) {
    const auto count = [](double value) { return ReportCell(fmt::format("{:.0f}", value), value); };
    table.rows.push_back({result.experiment.name, result.experiment.source, count(static_cast<double>(result.cells)),
                          count(static_cast<double>(result.failed.size())), count(result.better), count(result.matches),
                          count(result.worse), count(result.cell_seconds)});
    for (ReportSection section : result.report.sections) {
      section.heading = fmt::format("{}: {}", result.experiment.source, section.heading);
      report.sections.push_back(std::move(section));
    }
  }
  report.sections.front().tables.push_back(std::move(table));
  if (results.empty()) return report;
  report.facts.emplace_back("command", command_text("all", results.front().size));
  for (const auto& [name, value] : results.front().report.facts)
    if (name == "weft" || name == "machine") report.facts.emplace_back(name, value);
  return report;
}

Reproduction reproduce(const std::string& name, const ReproduceOptions& options, const Run& run) {
  check_options(options);
  const Experiment& experiment = find_experiment(name);
  const Stopwatch watch;
  const Bench bench{DataFolder(options.data), options.size, run};
  Reproduction result{.experiment = experiment.info, .size = options.size};
  result.missing = missing_from(bench.data, experiment.info);
  if (result.missing.size() == experiment.info.data.size())
    throw Error(ErrorKind::data,
                fmt::format("none of the data sets of {} is present: {}", name, fmt::join(result.missing, ", ")),
                "--data", "weft-papers data lists where they come from");
  std::filesystem::create_directories(options.out);
  const std::string stem = fmt::format("{}/{}", options.out, name);
  check_writable(stem + ".html");
  CellLog log(stem + ".jsonl");
  const std::vector<Cell> cells = CellRunner(experiment, bench, options.only, log).run(result);
  if (cells.empty() && !result.failed.empty())
    throw Error(ErrorKind::data, fmt::format("every cell failed: {}", text_of(result.failed.front().values, "failure")),
                stem + ".jsonl", "see the reasons there; the same command tries them again");
  if (cells.empty())
    throw Error(ErrorKind::option, "time limit reached before one cell was finished", "--max-time", "raise it");

  result.report.title = fmt::format("{}: {}", experiment.info.source, experiment.info.title);
  result.report.sections = experiment.present(cells, bench);
  if (!result.failed.empty()) result.report.sections.push_back(failures(result.failed));
  add_facts(result, cells, options.only, run);
  count_verdicts(result);
  write_file(stem + ".html", result.report.to_html());
  write_file(stem + ".md", result.report.to_markdown());
  result.seconds = watch.seconds();
  return result;
}

}  // namespace weft::papers
