#include "methods/newton/newton_state.hpp"

#include "methods/checkpoint.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

std::vector<double> values(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.cols()};
}

}  // namespace

LogisticCheckpoint::LogisticCheckpoint(const Problem& problem)
    : name_(method_name(problem.options.method)),
      own_(problem.options.own<LogisticOptions>()),
      share_(problem.rows.share()) {
  if (!own_.checkpoint->empty()) digest_ = checkpoint_digest(problem);
}

void LogisticCheckpoint::save(const NewtonState& state) const {
  if (own_.checkpoint->empty() || (share_ != nullptr && share_->processes->rank() != 0)) return;
  const auto step = static_cast<Index>(state.losses.size());
  Checkpoint{name_,
             digest_,
             step,
             {values(state.x), values(state.best), {state.first_lambda, state.finishing ? 1.0 : 0.0}, state.losses}}
      .save(own_.checkpoint);
}

void LogisticCheckpoint::load(NewtonState& state) const {
  if (!own_.resume) return;
  const std::string& path = own_.checkpoint;
  const Checkpoint kept = Checkpoint::load(path, name_, digest_, share_);
  const auto size = static_cast<std::size_t>(state.x.rows() * state.x.cols());
  require_state(kept.arrays.size() == 4 && kept.arrays[0].size() == size && kept.arrays[1].size() == size &&
                    kept.arrays[2].size() == 2 && kept.arrays[2][0] >= 0 &&
                    static_cast<Index>(kept.arrays[3].size()) == kept.step &&
                    std::all_of(kept.arrays.begin(), kept.arrays.end(), all_finite),
                path);
  std::copy(kept.arrays[0].begin(), kept.arrays[0].end(), state.x.data());
  std::copy(kept.arrays[1].begin(), kept.arrays[1].end(), state.best.data());
  state.first_lambda = kept.arrays[2][0];
  state.finishing = kept.arrays[2][1] != 0;
  state.losses = kept.arrays[3];
}

}  // namespace weft::detail
