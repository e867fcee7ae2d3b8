#include "guarantee/weighting_distance.hpp"

#include <algorithm>
#include <map>

namespace weft::detail {

namespace {

using Centre = std::vector<double>;  // group, weights and, where they are drawn, the phase

Centre centre(const Centres& centres, Index t) {
  const Matrix& weights = centres.weights;
  Centre result = {static_cast<double>(centres.group_of[static_cast<std::size_t>(t)])};
  result.insert(result.end(), weights.row(t), weights.row(t) + weights.cols());
  if (!centres.phases.empty()) result.push_back(centres.phases[static_cast<std::size_t>(t)]);
  return result;
}

/// The same Λ and the same RKHS.
bool same_space(const FeaturePart& a, const FeaturePart& b) {
  const auto same_columns = [](const ColumnGroup& g, const ColumnGroup& h) { return g.columns == h.columns; };
  return a.family.name() == b.family.name() && a.sigma == b.sigma && a.gamma == b.gamma && a.phase == b.phase &&
         std::equal(a.centres.groups.begin(), a.centres.groups.end(), b.centres.groups.begin(), b.centres.groups.end(),
                    same_columns);
}

/// The centres of one family in both models, and the coefficients' difference at each.
class JointPart {
 public:
  JointPart(const FeaturePart& space, Index outputs) : space_(space), outputs_(outputs) {}

  const FeaturePart& space() const { return space_; }
  Index count() const { return static_cast<Index>(centres_.size()); }

  void add(const Centre& at, const double* coefficients, double sign) {
    const auto [place, is_new] = places_.emplace(at, centres_.size());
    if (is_new) {
      centres_.push_back(at);
      differences_.resize(differences_.size() + static_cast<std::size_t>(outputs_));
    }
    for (Index k = 0; k < outputs_; ++k)
      differences_[place->second * static_cast<std::size_t>(outputs_) + static_cast<std::size_t>(k)] +=
          sign * coefficients[k];
  }

  FeaturePart part() const {
    FeaturePart result = space_;
    Centres& made = result.centres;
    made.group_of.clear();
    made.phases.clear();
    made.weights = Matrix(count(), space_.centres.weights.cols());
    for (Index t = 0; t < count(); ++t) {
      const Centre& from = centres_[static_cast<std::size_t>(t)];
      made.group_of.push_back(static_cast<Index>(from[0]));
      std::copy_n(from.begin() + 1, made.weights.cols(), made.weights.row(t));
      if (!space_.centres.phases.empty()) made.phases.push_back(from.back());
    }
    return result;
  }
  const std::vector<double>& differences() const { return differences_; }

 private:
  const FeaturePart& space_;
  Index outputs_;
  std::vector<Centre> centres_;
  std::map<Centre, std::size_t> places_;
  std::vector<double> differences_;  // count × outputs
};

/// Adds sign · the model's weighting. False where it has a family that `joint` lacks. Families of a union are in the
/// same order in both models, which distinguishes two of the same kind.
bool add_model(std::vector<JointPart>& joint, const Model& model, double sign) {
  const ModelParts& parts = model.parts();
  Index first = 0;
  auto into = joint.begin();
  for (const FeaturePart& part : parts.map.parts()) {
    into = std::find_if(into, joint.end(), [&](const JointPart& other) { return same_space(other.space(), part); });
    if (into == joint.end()) return false;
    for (Index t = 0; t < part.centres.count(); ++t)
      into->add(centre(part.centres, t), parts.coefficients.row(first + t), sign * part.scale(t));
    first += part.centres.count();
    ++into;
  }
  return true;
}

}  // namespace

WeightingDistance weighting_distance(const Model& model, const Model& original, const Run& run) {
  const ModelParts& full = original.parts();
  if (model.parts().map.sections() != nullptr || full.map.sections() != nullptr)
    return {{}, "comparing kernel machines is not supported"};
  if (model.parts().encoder.to_json() != full.encoder.to_json())
    return {{}, "the original encodes inputs or target differently"};
  std::vector<JointPart> joint;
  for (const FeaturePart& part : full.map.parts()) joint.emplace_back(part, original.outputs());
  if (!add_model(joint, original, 1) || !add_model(joint, model, -1))
    return {{}, "the original has other families, or another sigma, gamma or pool"};

  std::vector<FeaturePart> parts;
  std::vector<double> differences;
  for (const JointPart& part : joint) {
    parts.push_back(part.part());
    differences.insert(differences.end(), part.differences().begin(), part.differences().end());
  }
  ModelParts difference{.encoder = full.encoder, .map = FeatureMap::from_parts(std::move(parts), full.map.inputs())};
  difference.coefficients = Matrix(difference.map.features(), original.outputs());
  std::copy(differences.begin(), differences.end(), difference.coefficients.data());
  difference.intercepts.resize(full.intercepts.size());
  return {Model(std::move(difference)).rkhs_norms(run), {}};
}

}  // namespace weft::detail
