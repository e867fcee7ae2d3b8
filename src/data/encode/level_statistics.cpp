#include <weft/level_statistics.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "data/encode/encoder_state.hpp"
#include "data/encode/level_folds.hpp"
#include "data/encode/level_statistics_state.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr Index kLevelBlockRows = 4096;
// Of the sums by level and fold, and of the other inputs. Where these would be more, the target alone is summed.
constexpr Index kMostLevelNumbers = Index{1} << 22;
constexpr std::size_t kMostOtherInputs = 100;

/// Inputs that stand for other things than the levels: all but the bias and the inputs of frequent levels.
std::vector<Index> other_inputs(const Encoder::State& state) {
  std::vector<Index> inputs;
  Index first = 0;
  for (const Variable& variable : state.variables) {
    const Index end = first + variable.columns();
    if (variable.many) first = variable.indicator ? end - 1 : end;
    for (; first < end; ++first) inputs.push_back(first);
  }
  return inputs;
}

LevelStatistics::State empty_state(const Encoder::State& encoder, std::vector<Index>& inputs, Index first_row) {
  LevelStatistics::State state;
  state.first_row = first_row;
  state.outputs = static_cast<Index>(encoder.level_outputs.size());
  Index slots = 0;
  for (const Variable& variable : encoder.variables) {
    if (!variable.many) continue;
    state.levels.push_back(variable.categories.size());
    slots += std::min(kLevelFolds * variable.categories.size(), encoder.rows);
  }
  inputs = other_inputs(encoder);
  const auto width = static_cast<Index>(1 + inputs.size() + encoder.level_outputs.size());
  if (inputs.size() > kMostOtherInputs || slots * width > kMostLevelNumbers) inputs.clear();
  state.covariates = static_cast<Index>(inputs.size());
  state.allot();
  return state;
}

/// Adds a row to the sums of its fold.
void add_row(const double* z, Index width, double weight, const double* levels, Index stride,
             LevelStatistics::State::Fold& fold) {
  for (Index a = 0; a < width; ++a) {
    double* const moments = fold.moments.row(a);
    const double scaled = weight * z[a];
    for (Index b = a; b < width; ++b) moments[b] += scaled * z[b];
  }
  for (std::size_t c = 0; c < fold.columns.size(); ++c) {
    const double level = levels[static_cast<Index>(c) * stride];
    if (level < 0) continue;
    double* const values = fold.columns[c].of(static_cast<std::size_t>(level), width);
    for (Index a = 0; a < width; ++a) values[a] += weight * z[a];
  }
}

/// rows × width.
Matrix rows_of_sums(const Block& block, const std::vector<Index>& inputs, const std::vector<LevelOutput>& outputs,
                    bool classes) {
  Matrix z(block.rows(), static_cast<Index>(1 + inputs.size() + outputs.size()));
  for (Index i = 0; i < block.rows(); ++i) {
    double* row = z.row(i);
    *row++ = 1;
    for (const Index j : inputs) *row++ = block.x(j, i);
    for (const LevelOutput& output : outputs) {
      const double y = block.y(output.target, i);
      *row++ = (classes ? (static_cast<Index>(y) == output.position ? 1 : 0) : y) - output.shift;
    }
  }
  return z;
}

void add_block(const Block& block, const Matrix& z, const LevelFolds& folds, LevelStatistics::State& state,
               const Run& run) {
  std::vector<std::vector<Index>> members(at(kLevelFolds));
  for (Index i = 0; i < block.rows(); ++i) members[at(folds(state.rows + i))].push_back(i);
  const auto weight = [&](Index i) { return block.weights.empty() ? 1.0 : block.weights[at(i)]; };
  parallel_for(kLevelFolds, run.thread_count(), [&](Index f) {
    for (const Index i : members[at(f)])
      add_row(z.row(i), z.cols(), weight(i), block.levels.data() + i, block.levels.cols(), state.folds[at(f)]);
  });
  if (state.variables() > 1)
    for (Index i = 0; i < block.rows(); ++i) {
      for (Index c = 0; c < state.variables(); ++c)
        state.codes.push_back(static_cast<std::int32_t>(block.levels(c, i)));
      state.weights.push_back(weight(i));
      if (folds.by_rule()) state.row_folds.push_back(folds(state.rows + i));
    }
  state.rows += block.rows();
}

}  // namespace

double* LevelStatistics::State::Sums::of(std::size_t level, Index width) {
  if (slot[level] < 0) {
    slot[level] = static_cast<Index>(values.size()) / width;
    values.resize(values.size() + at(width));
  }
  return values.data() + slot[level] * width;
}

void LevelStatistics::State::allot() {
  Fold fold;
  fold.moments = Matrix(width(), width());
  for (const Index count : levels) fold.columns.push_back({std::vector<Index>(at(count), -1), {}});
  folds.assign(at(kLevelFolds), fold);
}

LevelStatistics::LevelStatistics(State state) : state_(std::make_shared<const State>(std::move(state))) {}

LevelStatistics LevelStatistics::of(const Encoder& encoder, const Data& data, const Run& run, Index first_row) {
  const Encoder::State& known = encoder.state();
  if (known.level_outputs.empty())
    throw Error(ErrorKind::data, "the encoder was not fitted on statistics with a target", data.name(),
                "gather them with the encoder of Encoder::fit");
  std::vector<Index> inputs;
  State state = empty_state(known, inputs, first_row);
  const LevelFolds folds(data, first_row, run);
  state.forward = folds.forward();
  const auto reader = encoder.open(data, true, run);
  for (Block block; reader->next(block, kLevelBlockRows);) {
    run.check_cancelled();
    add_block(block, rows_of_sums(block, inputs, known.level_outputs, known.target.classification()), folds, state,
              run);
  }
  return LevelStatistics(std::move(state));
}

void LevelStatistics::merge(const LevelStatistics& next) {
  const State& other = next.state();
  State state = *state_;
  if (other.levels != state.levels || other.width() != state.width() || other.outputs != state.outputs)
    throw Error(ErrorKind::data, "the statistics of levels are of different encoders", {},
                "gather them with one encoder, fitted on the statistics of the whole table");
  if (other.first_row != first_row() + rows())
    throw Error(ErrorKind::data,
                fmt::format("rows from {} on do not follow {} rows from {} on", other.first_row, rows(), first_row()),
                {}, "merge the statistics of parts in order");
  const Index width = state.width();
  for (std::size_t f = 0; f < state.folds.size(); ++f) {
    const State::Fold& theirs = other.folds[f];
    State::Fold& ours = state.folds[f];
    for (Index k = 0; k < width * width; ++k) ours.moments.data()[k] += theirs.moments.data()[k];
    for (std::size_t c = 0; c < ours.columns.size(); ++c) {
      State::Sums& sums = ours.columns[c];
      for (std::size_t level = 0; level < sums.slot.size(); ++level) {
        const double* const more = theirs.columns[c].find(level, width);
        if (more == nullptr) continue;
        double* const values = sums.of(level, width);
        for (Index a = 0; a < width; ++a) values[a] += more[a];
      }
    }
  }
  state.codes.insert(state.codes.end(), other.codes.begin(), other.codes.end());
  state.weights.insert(state.weights.end(), other.weights.begin(), other.weights.end());
  state.rows += other.rows;
  state_ = std::make_shared<const State>(std::move(state));
}

Index LevelStatistics::first_row() const {
  return state_->first_row;
}
Index LevelStatistics::rows() const {
  return state_->rows;
}

}  // namespace weft
