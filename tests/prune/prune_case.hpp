// Data, models and dense truths for the tests of pruning.
#pragma once

#include <weft/fit.hpp>
#include <weft/prune.hpp>

#include "core/random.hpp"
#include "data/memory_table.hpp"
#include "linalg/dense.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace weft::testing {

using namespace detail;

/// Two inputs, a number ("y"), another ("z"), two classes ("side") and three ("sector"), positive weights ("w").
inline Data plane(Index rows, const std::string& target, const std::string& weights = "", std::uint64_t seed = 3) {
  const Random random(seed, RandomStream::generator);
  std::vector<double> a, b, y, z, w;
  std::vector<std::string> side, sector;
  for (Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    a.push_back(random.normal(at, 0));
    b.push_back(random.normal(at, 1));
    y.push_back(50 + 7 * std::sin(2 * a.back()) + b.back() * b.back() + 0.3 * random.normal(at, 2));
    z.push_back(0.001 * (a.back() * b.back() + 0.1 * random.normal(at, 3)));
    const double angle = std::atan2(b.back() + 0.2 * random.normal(at, 4), a.back());
    side.push_back(angle > 0.4 ? "up" : "down");
    sector.push_back(angle < -1 ? "p" : angle < 1 ? "q" : "r");
    w.push_back(0.5 + random.uniform(at, 5));
  }
  const std::string list = "," + target + "," + weights + ",a,b,";
  std::vector<TableColumn> table;
  for (TableColumn& column :
       std::vector<TableColumn>{{"a", a}, {"b", b}, {"y", y}, {"z", z}, {"side", side}, {"sector", sector}, {"w", w}})
    if (list.find("," + column.name + ",") != std::string::npos) table.push_back(std::move(column));
  return memory_table(std::move(table), target, weights);
}

inline Model plane_model(const std::string& target, const std::string& family = "rw-relu", Index features = 60,
                         const FitOptions& options = {}) {
  FamilyOptions drawn;
  drawn.family = family;
  drawn.features = features;
  drawn.sigma = 1;
  drawn.seed = 4;
  return fit({plane(400, target), drawn, options});
}

/// a_t = b_t / A_t, one column per output, and G: the weight function as the paper writes it.
struct PlainWeights {
  test::Dense a;
  test::Dense gram;

  explicit PlainWeights(const ModelParts& parts)
      : a(test::dense(parts.coefficients)), gram(test::dense(parts.map.gram())) {
    const std::vector<double> logs = parts.map.log_amplitudes();
    for (Eigen::Index t = 0; t < a.rows(); ++t) a.row(t) *= std::exp(-logs[static_cast<std::size_t>(t)]);
  }
  double norm(Eigen::Index output) const { return std::sqrt(a.col(output).dot(gram * a.col(output))); }
};

/// f(x) for every row and output, one under the other.
inline std::vector<double> scores(const Model& model, const Data& data) {
  std::vector<double> all;
  model.for_each_prediction(data, {}, [&](const PredictionBlock& block) {
    all.insert(all.end(), block.scores.data(), block.scores.data() + block.scores.rows() * block.scores.cols());
  });
  return all;
}

}  // namespace weft::testing
