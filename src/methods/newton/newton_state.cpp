#include "methods/newton/newton_state.hpp"

#include "methods/checkpoint.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

// Arrays of a file: the point, the best point, λ and whether λ is chosen, losses; after them, but for files of earlier
// versions, counts, the preconditioner's point, and step and change of every curvature pair.
constexpr std::size_t kEarlierArrays = 4;
constexpr std::size_t kArrays = 6;

std::vector<double> values(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.cols()};
}

Matrix matrix_of(const std::vector<double>& values, Index outputs) {
  Matrix matrix(static_cast<Index>(values.size()) / outputs, outputs);
  std::copy(values.begin(), values.end(), matrix.data());
  return matrix;
}

bool is_count(double value) {
  return value >= 0 && value < 1e15 && value == std::floor(value);
}

std::vector<std::vector<double>> arrays_of(const NewtonState& state) {
  const PreconditionerState& made = state.preconditioner;
  const auto count = [](Index number) { return static_cast<double>(number); };
  std::vector<std::vector<double>> arrays = {values(state.at.x),
                                             values(state.best),
                                             {state.first_lambda, state.finishing ? 1.0 : 0.0},
                                             state.losses,
                                             {count(state.at.iterations), count(made.grams), count(made.evaluations),
                                              made.all_rows ? 1.0 : 0.0, count(state.passes)},
                                             values(made.point)};
  for (const CurvaturePair& pair : state.at.pairs) {
    arrays.push_back(values(pair.step));
    arrays.push_back(values(pair.change));
  }
  return arrays;
}

/// Of a state whose point has `size` numbers, as arrays_of makes them.
bool are_whole(const std::vector<std::vector<double>>& arrays, std::size_t size) {
  const auto sized = [&](const std::vector<double>& array) { return array.size() == size; };
  if (arrays.size() < kEarlierArrays || !sized(arrays[0]) || !sized(arrays[1]) || arrays[2].size() != 2 ||
      arrays[2][0] < 0 || !std::all_of(arrays.begin(), arrays.end(), all_finite))
    return false;
  if (arrays.size() == kEarlierArrays) return true;
  return arrays.size() >= kArrays && arrays.size() % 2 == 0 && arrays.size() <= kArrays + 2 * MinimiseState::kPairs &&
         arrays[4].size() == 5 && std::all_of(arrays[4].begin(), arrays[4].end(), is_count) && arrays[4][1] > 0 &&
         std::all_of(arrays.begin() + kArrays - 1, arrays.end(), sized);
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
  Checkpoint{name_, digest_, step, arrays_of(state)}.save(own_.checkpoint);
}

void LogisticCheckpoint::load(NewtonState& state) const {
  if (!own_.resume) return;
  const std::string& path = own_.checkpoint;
  const Checkpoint kept = Checkpoint::load(path, name_, digest_, share_);
  const auto& arrays = kept.arrays;
  const Index outputs = state.best.cols();
  require_state(are_whole(arrays, static_cast<std::size_t>(state.best.rows() * outputs)) &&
                    static_cast<Index>(arrays[3].size()) == kept.step,
                path);
  state.at = {matrix_of(arrays[0], outputs)};
  state.best = matrix_of(arrays[1], outputs);
  state.first_lambda = arrays[2][0];
  state.finishing = arrays[2][1] != 0;
  state.losses = arrays[3];
  if (arrays.size() == kEarlierArrays) return;
  const auto count = [&](std::size_t k) { return static_cast<Index>(arrays[4][k]); };
  state.at.iterations = count(0);
  state.preconditioner = {matrix_of(arrays[5], outputs), count(3) != 0, count(1), count(2)};
  state.passes = count(4);
  for (std::size_t a = kArrays; a < arrays.size(); a += 2)
    state.at.add_pair(matrix_of(arrays[a], outputs), matrix_of(arrays[a + 1], outputs));
}

}  // namespace weft::detail
