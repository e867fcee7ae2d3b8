#include <weft/row_predictor.hpp>

#include "compute/device.hpp"
#include "compute/row_features.hpp"
#include "core/at.hpp"
#include "data/encode/row_encoder.hpp"
#include "model/predictor.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace detail {

/// Memory that a thread uses again for row after row.
struct RowScratch {
  Matrix x;                         ///< encoded inputs × 1
  Matrix own;                       ///< a member's inputs × 1
  std::vector<double> chosen;       ///< columns of a transform, times their factors
  AlignedVector<double> phi;        ///< features
  std::vector<double> leaf_scores;  ///< outputs
};

/// BLAS shares longer products among threads, and the last bits would follow their number.
constexpr Index kSerialProduct = 4096;

/// A linear model of features for one row: scores += coefficientsᵀ · features(x).
class RowScores {
 public:
  RowScores(const FeatureMap& map, const Matrix& coefficients)
      : features_(map), coefficients_(coefficients.cols(), coefficients.rows()) {
    for (Index t = 0; t < coefficients.rows(); ++t)
      for (Index k = 0; k < coefficients.cols(); ++k) coefficients_(k, t) = coefficients(t, k);
  }

  void add(const double* x, RowScratch& scratch, double* scores) const {
    const Index count = features_.count();
    if (count == 0) return;
    if (static_cast<Index>(scratch.phi.size()) < count) scratch.phi.resize(at(count));
    features_(x, scratch.phi.data());
    for (Index k = 0; k < coefficients_.rows(); ++k)
      for (Index t = 0; t < count; t += kSerialProduct)
        scores[k] += cpu().dot(std::min(kSerialProduct, count - t), coefficients_.row(k) + t, scratch.phi.data() + t);
  }

 private:
  RowFeatures features_;
  Matrix coefficients_;  // outputs × features
};

class RowMember {
 public:
  explicit RowMember(const Member& member) : member_(&member) {
    if (member.transform.matrix.rows() > 0) matrix_ = ColumnProduct(member.transform.matrix);
    for (const Leaf& leaf : member.leaves) leaves_.emplace_back(leaf.map, leaf.coefficients);
  }

  void add(const Matrix& x, RowScratch& scratch, double* scores) const {
    transform(x, scratch);
    const Index leaf = member_->leaf_of(scratch.own, 0);
    scratch.leaf_scores = member_->leaves[at(leaf)].intercepts;
    leaves_[at(leaf)].add(scratch.own.data(), scratch, scratch.leaf_scores.data());
    for (std::size_t k = 0; k < scratch.leaf_scores.size(); ++k) scores[k] += member_->weight * scratch.leaf_scores[k];
  }

 private:
  void transform(const Matrix& x, RowScratch& scratch) const {
    const InputTransform& map = member_->transform;
    const auto count = map.columns.empty() ? x.rows() : static_cast<Index>(map.columns.size());
    scratch.chosen.resize(at(count));
    for (Index j = 0; j < count; ++j)
      scratch.chosen[at(j)] =
          (map.factors.empty() ? 1 : map.factors[at(j)]) * x(map.columns.empty() ? j : map.columns[at(j)], 0);
    scratch.own.reshape(map.inputs(x.rows()), 1);
    if (matrix_.size() > 0)
      matrix_(scratch.chosen.data(), scratch.own.data());
    else
      std::copy(scratch.chosen.begin(), scratch.chosen.end(), scratch.own.data());
  }

  const Member* member_;
  ColumnProduct matrix_;
  std::vector<RowScores> leaves_;
};

}  // namespace detail

struct RowPredictor::State {
  State(const Model& model_, const DecisionOptions& decision)
      : model(model_),
        predictor(model.parts(), {.decision = decision}),
        encoder(model.parts().encoder),
        scores(model.parts().map, model.parts().coefficients) {
    for (const Member& member : model.parts().members) members.emplace_back(member);
  }

  template <class Row>
  void predict(const Row& row, RowPrediction& prediction) const;

  Model model;  ///< shares the parts that the rest points to
  Predictor predictor;
  RowEncoder encoder;
  RowScores scores;
  std::vector<RowMember> members;
};

namespace {

StrangeCounts write(const RowEncoder& encoder, Index position, double cell, Matrix& x) {
  return encoder.write(position, cell, std::nullopt, x);
}

StrangeCounts write(const RowEncoder& encoder, Index position, const Cell& cell, Matrix& x) {
  return encoder.write(position, cell.number(), cell.is_text() ? std::optional(cell.text()) : std::nullopt, x);
}

}  // namespace

template <class Row>
void RowPredictor::State::predict(const Row& row, RowPrediction& prediction) const {
  if (row.size() != encoder.columns().size())
    throw Error(ErrorKind::data,
                fmt::format("a row has {} cells, and the model has {} columns", row.size(), encoder.columns().size()),
                {}, "give one cell per column, in the order of columns()");
  thread_local RowScratch scratch;
  encoder.begin(scratch.x);
  prediction.missing = prediction.unseen = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const StrangeCounts counts = write(encoder, static_cast<Index>(c), row[c], scratch.x);
    prediction.missing += counts.missing;
    prediction.unseen += counts.unseen;
  }
  prediction.scores = model.parts().intercepts;
  scores.add(scratch.x.data(), scratch, prediction.scores.data());
  for (const RowMember& member : members) member.add(scratch.x, scratch, prediction.scores.data());
  prediction.values.resize(at(predictor.value_count()));
  prediction.probabilities.resize(at(predictor.probability_count()));
  predictor.interpret(prediction.scores.data(), prediction.values.data(), prediction.probabilities.data());
}

RowPredictor::RowPredictor(const Model& model, const DecisionOptions& decision) {
  check_decision(model, decision);
  state_ = std::make_unique<const State>(model, decision);
}
RowPredictor::~RowPredictor() = default;
RowPredictor::RowPredictor(RowPredictor&&) noexcept = default;
RowPredictor& RowPredictor::operator=(RowPredictor&&) noexcept = default;

const std::vector<std::string>& RowPredictor::columns() const {
  return state_->encoder.columns();
}

void RowPredictor::predict(std::span<const Cell> row, RowPrediction& prediction) const {
  state_->predict(row, prediction);
}

void RowPredictor::predict(std::span<const double> row, RowPrediction& prediction) const {
  state_->predict(row, prediction);
}

}  // namespace weft
