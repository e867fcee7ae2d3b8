// What fitted models do not depend on, and what they follow: order of rows and columns, blocks, threads, units,
// weights.
#include "properties/design.hpp"
#include "properties/random_table.hpp"

#include <weft/fit.hpp>

namespace weft {

using namespace detail;
namespace {

using namespace test;

using testing::memory_table;

struct Learner {
  std::string name;
  FamilyOptions family;
  FitOptions options;
};

/// Methods for a numeric target. `lambda`: chosen by the method where it is not to be given.
Learner draw_learner(Draw& draw, bool lambda) {
  Learner learner;
  learner.family.seed = draw.seed();
  learner.family.features = draw.count(3, 60);
  learner.family.family = draw.one_of({"rw-relu", "rks-cos", "rw-sign", "rks-relu", "rff-rbf", "rw-stumps"});
  const Index kind = draw.below(5);
  if (kind == 1) learner.options.use<LassoOptions>();
  if (kind == 2) learner.options.use<KernelRidgeOptions>().kernel = draw.one_of({"rbf", "laplace", "laplace-l2"});
  if (kind == 3) learner.options.use<KernelRidgeOptions>().landmarks = draw.count(2, 20);
  if (kind == 4) learner.options.use<LocalOptions>().relevance = 0;
  if (kind >= 2) learner.family = {.seed = draw.seed()};
  learner.name = method_name(learner.options.method) + " " + std::to_string(kind);
  if (lambda && kind != 4) learner.options.lambda = draw.power_of_ten(-3, 0);
  return learner;
}

FitRequest request_of(const Learner& learner, Data data, int threads = 1) {
  FitRequest request{.train = std::move(data), .family = learner.family, .fit = learner.options};
  request.run.threads = threads;
  return request;
}

/// A table whose target depends on its columns.
RandomTable draw_problem(Draw& draw, Index rows) {
  RandomTable table = draw_table(draw, rows);
  table.insert(table.begin(), {"x", Numbers{}});
  Numbers& x = std::get<Numbers>(table.front().cells);
  Numbers y;
  for (Index i = 0; i < rows; ++i) {
    x.push_back(draw.normal());
    y.push_back(std::sin(2 * x.back()) + 0.1 * draw.normal());
  }
  table.push_back({"y", y});
  return table;
}

double largest(const Matrix& a) {
  double most = 0;
  for (Index i = 0; i < a.rows() * a.cols(); ++i) most = std::max(most, std::abs(a.data()[i]));
  return most;
}

void expect_bits(const Matrix& a, const Matrix& b, const std::string& name) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Index i = 0; i < a.rows() * a.cols(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << name << " row " << i;
}

void expect_close(const Matrix& a, const Matrix& b, double tolerance, const std::string& name) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Index i = 0; i < a.rows() * a.cols(); ++i)
    ASSERT_NEAR(a.data()[i], b.data()[i], tolerance) << name << " row " << i;
}

TEST(FitProperties, BlocksAndThreadsChangeNoBit) {
  for_all(40, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 300);
    const RandomTable table = draw_problem(draw, rows);
    const Learner learner = draw_learner(draw, draw.flip());
    const Data whole = memory_table(table, "y");
    const Data cut = memory_table(table, "y", "", 1 + draw.below(rows));
    const Matrix one = fit(request_of(learner, whole)).predict(whole, {.threads = 1});
    const Matrix other = fit(request_of(learner, cut, 3)).predict(cut, {.threads = 2});
    expect_bits(other, one, learner.name);
  });
}

TEST(FitProperties, PredictionsFollowTheirRows) {
  for_all(40, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 300);
    const RandomTable table = draw_problem(draw, rows);
    const Learner learner = draw_learner(draw, draw.flip());
    const Model model = fit(request_of(learner, memory_table(table, "y")));
    const Matrix all = model.predict(memory_table(table, "y"));
    std::vector<Index> order = draw.permutation(rows);
    order.resize(1 + draw.below(rows));
    const RandomTable moved = with_columns(with_rows(table, order), draw.permutation(static_cast<Index>(table.size())));
    const Matrix some = model.predict(memory_table(moved, "y"));
    ASSERT_EQ(some.rows(), static_cast<Index>(order.size()));
    const double noise = 1e-8 * (1 + largest(all));
    for (std::size_t k = 0; k < order.size(); ++k)
      ASSERT_NEAR(some(static_cast<Index>(k), 0), all(order[k], 0), noise) << learner.name;
  });
}

TEST(FitProperties, TargetsInOtherUnitsGiveThePredictionsInThem) {
  for_all(60, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 200);
    RandomTable table = draw_problem(draw, rows);
    const Learner learner = draw_learner(draw, false);
    const Matrix one = fit(request_of(learner, memory_table(table, "y"))).predict(memory_table(table, "y"));
    const double unit = draw.power_of_two(-460, 460);
    change_unit(table.back(), unit);
    const Matrix other = fit(request_of(learner, memory_table(table, "y"))).predict(memory_table(table, "y"));
    expect_bits(scaled(other, 1 / unit), one, learner.name);
  });
}

TEST(FitProperties, TargetsMayBeShifted) {
  for_all(80, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 200);
    RandomTable table = draw_problem(draw, rows);
    const Learner learner = draw_learner(draw, true);
    if (learner.name.starts_with("local"))
      return;  // it searches in single precision, whose rounding decides between equals
    const Matrix one = fit(request_of(learner, memory_table(table, "y"))).predict(memory_table(table, "y"));
    // A given λ of the lasso has the targets' unit.
    const double unit = draw.one_of({1.0, -1.0}) * (learner.name.starts_with("lasso") ? 1 : draw.between(0.1, 10));
    const double offset = draw.power_of_ten(0, 6);
    change_unit(table.back(), unit, offset);
    Matrix other = fit(request_of(learner, memory_table(table, "y"))).predict(memory_table(table, "y"));
    for (Index i = 0; i < rows; ++i) other(i, 0) = (other(i, 0) - offset) / unit;
    expect_close(other, one, 1e-4, learner.name);
  });
}

TEST(FitProperties, InputsInOtherUnitsChangeNoBit) {
  for_all(40, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 200);
    RandomTable table = draw_problem(draw, rows);
    const Learner learner = draw_learner(draw, false);
    FitRequest request = request_of(learner, memory_table(table, "y"));
    request.encode.scale = draw.one_of({Scaling::standard, Scaling::quantile, Scaling::minmax});
    const Matrix one = fit(request).predict(request.train);
    for (std::size_t c = 0; c + 1 < table.size(); ++c) change_unit(table[c], draw.power_of_two(-10, 10));
    request.train = memory_table(table, "y");
    expect_bits(fit(request).predict(request.train), one, learner.name);
  });
}

TEST(FitProperties, OrderOfTrainingRowsChangesRoundingAlone) {
  for_all(40, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 200);
    const RandomTable table = draw_problem(draw, rows);
    Learner learner = draw_learner(draw, true);
    // Landmarks and trees are chosen by the numbers of the rows.
    if (learner.name.ends_with("3") || learner.name.ends_with("4")) return;
    const Data data = memory_table(table, "y");
    const Matrix one = fit(request_of(learner, data)).predict(data);
    const Data moved = memory_table(with_rows(table, draw.permutation(rows)), "y");
    expect_close(fit(request_of(learner, moved)).predict(data), one, 1e-4, learner.name);
  });
}

TEST(FitProperties, WeightsCountRows) {
  for_all(40, [](Draw& draw) {
    const Index rows = 30 + draw.count(0, 150);
    RandomTable table = draw_problem(draw, rows);
    Learner learner = draw_learner(draw, true);
    if (learner.name.ends_with("3") || learner.name.ends_with("4")) return;
    if (learner.name.starts_with("kernel")) learner.options.use<KernelRidgeOptions>().bandwidth = "1.5";
    Numbers weights;
    std::vector<Index> repeated;
    for (Index i = 0; i < rows; ++i) {
      weights.push_back(static_cast<double>(1 + draw.below(3)));
      repeated.insert(repeated.end(), static_cast<std::size_t>(weights.back()), i);
    }
    const Data data = memory_table(table, "y");
    FitRequest request = request_of(learner, memory_table(with_rows(table, repeated), "y"));
    request.encoder = Encoder::fit(data, {}).with_target_of(request.train);
    const Matrix counted = fit(request).predict(data);
    const double unit = draw.power_of_ten(-100, 100);  // only shares matter
    for (double& weight : weights) weight *= unit;
    table.push_back({"w", weights});
    request.train = memory_table(table, "y", "w");
    request.encoder = Encoder::fit(request.train, {});
    expect_close(fit(request).predict(data), counted, 1e-4, learner.name);
  });
}

}  // namespace
}  // namespace weft
