// Models made by hand for tests: a drawn feature map and made-up coefficients. Nothing is fitted.
#pragma once

#include <weft/model.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "data/memory_table.hpp"

namespace weft::testing {

using namespace detail;

inline double made_up(Index i, std::uint32_t j = 0) {
  return Random(99, weft::detail::RandomStream::fit).normal(static_cast<std::uint64_t>(i), j);
}

/// Two numbers, a category, and targets for every task: "y", "z" (numbers), "yes" (two classes), "kind" (three).
inline std::vector<TableColumn> sample_table(Index rows) {
  std::vector<double> a, b, y, z, w;
  std::vector<std::string> city, yes, kind;
  for (Index i = 0; i < rows; ++i) {
    a.push_back(made_up(i));
    b.push_back(std::exp(made_up(i, 1)));
    city.push_back(i % 3 == 0 ? "Bern" : i % 3 == 1 ? "Gen\xc3\xa8ve" : "\xff\xfe");
    y.push_back(10 + made_up(i, 2));
    z.push_back(made_up(i, 3) * a.back());
    yes.push_back(made_up(i, 4) > 0.3 ? "yes" : "no");
    kind.push_back(std::string(1, static_cast<char>('p' + i * 7 % 3)));
    w.push_back(std::abs(made_up(i, 5)));
  }
  return {{"a", a}, {"b", b}, {"city", city}, {"y", y}, {"z", z}, {"yes", yes}, {"kind", kind}, {"w", w}};
}

/// The inputs, the columns of `target` (with commas) and, where named, the weights.
inline Data sample_data(Index rows, const std::string& target, const std::string& weights = "", Index chunk = 1 << 20) {
  std::vector<TableColumn> table;
  const std::string list = "," + target + "," + weights + ",a,b,city,";
  for (TableColumn& column : sample_table(rows))
    if (list.find("," + column.name + ",") != std::string::npos) table.push_back(std::move(column));
  return memory_table(std::move(table), target, weights, chunk);
}

inline FamilyOptions sample_family(const std::string& family = "rw-relu/sparse:2", Index features = 40) {
  FamilyOptions options;
  options.family = family;
  options.features = features;
  options.seed = 5;
  return options;
}

inline ModelParts sample_parts(const std::string& target, const FamilyOptions& family = sample_family(),
                               const EncodeOptions& encode = {}) {
  const Encoder encoder = Encoder::fit(sample_data(60, target), encode);
  ModelParts parts{
      .encoder = encoder, .map = FeatureMap::draw(family, encoder.inputs()), .coefficients = {}, .intercepts = {}};
  const TargetInfo& info = encoder.target();
  const Index outputs = info.task == Task::regression ? static_cast<Index>(info.names.size())
                        : info.task == Task::binary   ? 1
                                                      : static_cast<Index>(info.classes.size());
  parts.coefficients = Matrix(parts.map.features(), outputs);
  for (Index t = 0; t < parts.map.features(); ++t)
    for (Index k = 0; k < outputs; ++k)
      parts.coefficients(t, k) =
          made_up(t, static_cast<std::uint32_t>(10 + k)) / std::sqrt(static_cast<double>(family.features));
  for (Index k = 0; k < outputs; ++k) parts.intercepts.push_back(made_up(k, 9) / 4);
  return parts;
}

/// The same with kernel sections at encoded rows for features.
inline ModelParts kernel_parts(const std::string& target, const std::string& kernel, Index landmarks = 20) {
  FamilyOptions family = sample_family("auto", landmarks);
  ModelParts parts = sample_parts(target, sample_family("rw-sign", landmarks));
  const Inputs& inputs = parts.encoder.inputs();
  Matrix rows(inputs.columns(), landmarks);
  for (Index j = 0; j < rows.rows(); ++j)
    for (Index i = 0; i < landmarks; ++i) rows(j, i) = made_up(i, static_cast<std::uint32_t>(30 + j));
  parts.map = FeatureMap::from_sections({Kernel::make(kernel, 1.5, family, inputs), std::move(rows)}, inputs);
  return parts;
}

/// L of a well-conditioned T × T matrix, with garbage above the diagonal as a factorisation leaves it.
inline void add_variance(ModelParts& parts) {
  const Index features = parts.map.features();
  parts.variance_factor = Matrix(features, features);
  for (Index s = 0; s < features; ++s)
    for (Index t = 0; t < features; ++t)
      parts.variance_factor(s, t) = s == t ? 2 + std::abs(made_up(s, 20)) : made_up(s * features + t, 21) / 10;
  for (std::size_t k = 0; k < parts.intercepts.size(); ++k) parts.noise.push_back(0.5 + static_cast<double>(k));
}

/// All blocks of a prediction, one under the other.
struct AllPredictions {
  std::vector<double> scores, values, probabilities, std, targets, weights;
  bool operator==(const AllPredictions&) const = default;
};

inline AllPredictions predict_all(const Model& model, const Data& data, const PredictOptions& options = {},
                                  const Run& run = {}) {
  AllPredictions all;
  Index rows = 0;
  const auto append = [](std::vector<double>& to, const Matrix& from) {
    to.insert(to.end(), from.data(), from.data() + from.rows() * from.cols());
  };
  model.for_each_prediction(
      data, options,
      [&](const PredictionBlock& block) {
        if (block.first_row != rows) throw std::logic_error("a block is out of order");
        rows += block.rows();
        append(all.scores, block.scores);
        append(all.values, block.values);
        append(all.probabilities, block.probabilities);
        append(all.std, block.std);
        append(all.targets, block.targets);
        all.weights.insert(all.weights.end(), block.weights.begin(), block.weights.end());
      },
      run);
  return all;
}

}  // namespace weft::testing
