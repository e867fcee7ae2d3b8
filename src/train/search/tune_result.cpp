// What a search found, and what it asks for.
#include <weft/tune.hpp>

#include "methods/kernel/kernel_checks.hpp"
#include "train/search/search_space.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace weft {

using namespace detail;

std::vector<std::string> tuned_families(const std::string& text) {
  std::vector<std::string> names;
  if (text == "all") {
    names.push_back("auto");
    for (const FamilyRow& row : family_table())
      if (!row.paper.empty()) names.push_back(row.name);
    return names;
  }
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    names.push_back(text.substr(first, comma - first));
    if (names.back().empty())
      throw Error(ErrorKind::option, "an empty name stands among the families", "--family",
                  "separate names by single commas");
    first = comma + 1;
  }
  for (const std::string& name : names)
    if (name != "auto") parse_family(name);
  return names;
}

std::string Trial::width() const {
  std::string text;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", name, *value);
  };
  add("gamma", family.gamma);
  add("theta", family.theta);
  add("kappa", family.kappa);
  add("shrink", family.shrink);
  return text;
}

std::vector<std::size_t> TuneResult::ranking() const {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < trials.size(); ++k)
    if (!trials[k].failed()) order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (trials[a].rows != trials[b].rows) return trials[a].rows > trials[b].rows;
    return larger_is_better ? trials[a].score > trials[b].score : trials[a].score < trials[b].score;
  });
  return order;
}

FamilyOptions TuneResult::family(bool smallest) const {
  FamilyOptions options = winner().family;
  if (smallest && !curve.empty()) options.features = curve[recommended].features;
  return options;
}

FitOptions TuneResult::fit(FitOptions options, bool smallest) const {
  options = with_choice(std::move(options), winner().lambda, winner().bandwidth);
  if (smallest && !curve.empty()) options.lambda = curve[recommended].lambda;
  const bool machine =
      options.fit == "kernel-ridge" && kernel_solver(options, std::numeric_limits<Index>::max()) != KernelSolver::cg;
  if (metric == "logloss" && (options.fit == "least-squares" || machine)) options.calibrate = true;
  return options;
}

Index TuneResult::alternatives(bool smallest) const {
  return planned * (smallest && !curve.empty() ? static_cast<Index>(curve.size()) : 1);
}

}  // namespace weft
