#include "train/search/dealt_trials.hpp"

#include "core/at.hpp"
#include "distributed/dealt_work.hpp"
#include "distributed/row_share.hpp"

#include <algorithm>
#include <optional>

namespace weft::detail {

namespace {

/// Without what the configuration determines.
std::string to_bytes(const Trial& trial) {
  Packer packer;
  packer.add(trial.lambda.has_value()).add(trial.lambda.value_or(0)).add(trial.fold_scores).add(trial.score);
  packer.add(trial.standard_error).add(trial.seconds).add(trial.failure).add(static_cast<Index>(trial.path.size()));
  for (const CurvePoint& point : trial.path)
    packer.add(point.features).add(point.lambda).add(point.score).add(point.standard_error);
  return std::move(packer).bytes();
}

Trial from_bytes(const std::string& bytes) {
  Unpacker unpacker(bytes);
  Trial trial;
  const auto has_lambda = unpacker.number<bool>();
  const auto lambda = unpacker.number<double>();
  if (has_lambda) trial.lambda = lambda;
  trial.fold_scores = unpacker.numbers<double>();
  trial.score = unpacker.number<double>();
  trial.standard_error = unpacker.number<double>();
  trial.seconds = unpacker.number<double>();
  trial.failure = unpacker.text();
  trial.path.resize(static_cast<std::size_t>(unpacker.number<Index>()));
  for (CurvePoint& point : trial.path) {
    point.features = unpacker.number<Index>();
    point.lambda = unpacker.number<double>();
    point.score = unpacker.number<double>();
    point.standard_error = unpacker.number<double>();
  }
  return trial;
}

}  // namespace

std::size_t DealtTrials::least(std::size_t count) const {
  if (alone()) return count;
  for (const std::string& other : processes_->all_gather(std::to_string(count)))
    count = std::min<std::size_t>(count, std::stoul(other));
  return count;
}

bool DealtTrials::on_any(bool holds) const {
  return !on_all(processes_, !holds);
}

DealtTrials::Round DealtTrials::own(const Round& round) const {
  Round mine;
  for (const Index k : dealt_pieces(processes_, static_cast<Index>(round.size()))) mine.push_back(round[at(k)]);
  return mine;
}

std::vector<Trial> DealtTrials::exchange(const Round& round, const FitOptions& fit) {
  std::vector<std::optional<Trial>> trials;
  std::vector<const Candidate*> candidates;
  for (const std::vector<Candidate>& batch : round)
    for (const Candidate& candidate : batch) {
      const auto found =
          std::find_if(own_.begin(), own_.end(), [&](const Trial& trial) { return trial.number == candidate.number; });
      trials.push_back(found != own_.end() ? std::optional(std::move(*found)) : std::nullopt);
      candidates.push_back(&candidate);
    }
  own_.clear();
  exchange_results(processes_, trials, to_bytes, from_bytes);
  std::vector<Trial> all;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    if (!trials[k]) continue;
    const Trial which = trial_of(*candidates[k], fit);
    trials[k]->number = which.number;
    trials[k]->family = which.family;
    trials[k]->kernel = which.kernel;
    trials[k]->bandwidth = which.bandwidth;
    all.push_back(*std::move(trials[k]));
  }
  return all;
}

}  // namespace weft::detail
