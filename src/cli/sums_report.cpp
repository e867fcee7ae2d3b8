#include "cli/sums_report.hpp"

#include "cli/json.hpp"
#include "cli/session.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::cli {

namespace {

std::string names(const std::vector<TablePart>& parts) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < std::min(parts.size(), kMost); ++k) shown.push_back(parts[k].name);
  if (parts.size() > kMost) shown.emplace_back("…");
  return fmt::format("{}", fmt::join(shown, ", "));
}

void print(const std::string& text, const std::string& json_text, bool json) {
  if (json)
    print_line(json_text);
  else if (verbosity() != Verbosity::quiet)
    print_line(text);
}

}  // namespace

Sums merged_sums(const std::vector<std::string>& paths) {
  Sums sums = Sums::load(paths.front());
  for (std::size_t k = 1; k < paths.size(); ++k) {
    const Sums more = Sums::load(paths[k]);
    try {
      sums.merge(more);
    } catch (const Error& error) {
      throw Error(error.kind(), error.message(), paths[k], error.hint());
    }
  }
  return sums;
}

std::string json_of(const PartStatistics& statistics) {
  return Json{{"first_row", statistics.first_row()}, {"rows", statistics.rows()}}.dump(2);
}

Lines lines_of(const PartStatistics& statistics) {
  return {{"rows", std::to_string(statistics.rows())},
          {"first row", std::to_string(statistics.first_row())},
          {"parts", names(statistics.parts())}};
}

Lines lines_of(const Plan& plan) {
  const TargetInfo& target = plan.encoder().target();
  Lines lines = {{"task", task_name(target.task)},
                 {"target", fmt::format("{}", fmt::join(target.names, ", "))},
                 {"fit", method_name(plan.fit().method)}};
  if (plan.map().sections() == nullptr) lines.emplace_back("family", *plan.family().family);
  lines.emplace_back("features", std::to_string(plan.map().features()));
  lines.emplace_back("lambda", plan.fit().lambda ? shown(*plan.fit().lambda) : "chosen on held-out rows");
  if (const std::string validation = plan.validation(); !validation.empty())
    lines.emplace_back("validation", validation);
  lines.emplace_back("inputs", std::to_string(plan.encoder().inputs().columns()));
  lines.emplace_back("rows", std::to_string(plan.rows()));
  lines.emplace_back("parts", fmt::format("{}: {}", plan.parts().size(), names(plan.parts())));
  lines.emplace_back("number", fmt::format("{:016x}", plan.number()));
  return lines;
}

Lines lines_of(const Sums& sums) {
  const std::vector<TablePart> missing = sums.missing();
  return {{"rows", std::to_string(sums.rows())},
          {"parts", fmt::format("{}: {}", sums.parts().size(), names(sums.parts()))},
          {"missing", missing.empty() ? "none" : fmt::format("{}: {}", missing.size(), names(missing))}};
}

void print_statistics(const PartStatistics& statistics, const std::string& path, bool json) {
  const Index first = statistics.first_row();
  const Index next = first + statistics.rows();
  print(fmt::format("{} rows from number {} on; statistics written to {}\nthe next part has --first-row {}",
                    statistics.rows(), first, path, next),
        json_of(statistics), json);
}

void print_plan(const Plan& plan, const std::string& path, bool json) {
  print(fmt::format("{} features, {} inputs, {} rows in {} parts, {} ({})\nplan written to {}", plan.map().features(),
                    plan.encoder().inputs().columns(), plan.rows(), plan.parts().size(), method_name(plan.fit().method),
                    task_name(plan.encoder().target().task), path),
        plan.to_json(), json);
}

void print_sums(const Sums& sums, const std::string& path, bool json) {
  const std::vector<TablePart> missing = sums.missing();
  print(fmt::format("{} of {} rows, {} of {} parts{}\nsums written to {}", sums.rows(), sums.plan().rows(),
                    sums.parts().size(), sums.plan().parts().size(),
                    missing.empty() ? "" : fmt::format("; missing: {}", names(missing)), path),
        sums.to_json(), json);
}

}  // namespace weft::cli
