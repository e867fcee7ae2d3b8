// The results of a search, and its requests.
#include <weft/tune.hpp>

#include "methods/method.hpp"
#include "train/search/search_space.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

using namespace detail;

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

FitRequest winner_request(const TuneRequest& request, const TuneResult& result) {
  const Trial& winner = result.winner();
  const bool smallest = request.options.smallest && !result.curve.empty();
  FitRequest chosen{request.train, winner.family, with_choice(request.fit, winner.lambda, winner.bandwidth),
                    request.encode, request.run};
  if (smallest) {
    chosen.family.features = result.curve[result.recommended].features;
    chosen.fit.lambda = result.curve[result.recommended].lambda;
  }
  const auto calibrates = method_of(chosen.fit).calibrates;
  if (result.metric == Metric::logloss && calibrates != nullptr && calibrates(chosen.fit))
    set_own_value(chosen.fit.method, "calibrate", true);
  chosen.alternatives = result.planned * (smallest ? static_cast<Index>(result.curve.size()) : 1);
  return chosen;
}

Model fit_winner(const TuneRequest& request, const TuneResult& result) {
  FitRequest winner = winner_request(request, result);
  winner.encoder = result.encoder;
  return fit(winner);
}

}  // namespace weft
