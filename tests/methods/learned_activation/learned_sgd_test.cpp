#include "methods/learned_case.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::learned_problem;
using testing::sectors;
using testing::slope;
using testing::TableRows;
using testing::waves;
using Case = testing::LearnedCase;

class KeptRows final : public BlockSource {
 public:
  explicit KeptRows(const TableRows& rows)
      : all_{rows.x, rows.y, rows.weights.empty() ? nullptr : rows.weights.data(), 0} {}
  Index rows() const override { return all_.rows(); }
  Index outputs() const override { return all_.y.rows; }
  const TrainingBlock* in_memory() const override { return &all_; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override { consume(all_); }

 private:
  TrainingBlock all_;
};

TEST(LearnedActivationFit, StochasticDescentFollowsTheGradient) {
  // One step on all rows: (point before − point after) / rate is the gradient.
  for (const Task task : {Task::regression, Task::multiclass}) {
    Case c(task == Task::regression ? waves(80, 2) : sectors(80, 2, 3, false), task, 6, "rks-relu");
    for (Index i = 0; i < 80; ++i) c.rows.weights.push_back(0.5 + static_cast<double>(i % 3));
    const KeptRows kept(c.rows);
    c.own().epochs = 1;
    c.own().batch = 80;
    c.own().learning_rate = 1e-7;
    c.options.lambda = 1e-2;
    const Problem problem{c.map, kept, task, c.options, c.family, c.run};
    const LearnedProblem learned = learned_problem(problem);
    LearnedPoint start;
    for (int i = 0; i < 10; ++i) start.a.push_back(std::cos(0.9 * i));
    start.v = Matrix(6, c.rows.outputs());
    for (Index i = 0; i < 6 * c.rows.outputs(); ++i) start.v.data()[i] = std::sin(1.7 * static_cast<double>(i));
    start.intercepts.assign(static_cast<std::size_t>(c.rows.outputs()), 0.1);
    FitReport report;
    const LearnedPoint after = descend_stochastically(learned, start, task == Task::multiclass, report);
    const double lambda = learned.penalty.effective(1e-2);
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR((start.a[i] - after.a[i]) / 1e-7,
                  slope(c, learned, start, lambda, [i](LearnedPoint& p) -> double& { return p.a[i]; }), 1e-5);
    for (Index m = 0; m < 6; ++m)
      EXPECT_NEAR((start.v(m, 1) - after.v(m, 1)) / 1e-7,
                  slope(c, learned, start, lambda, [m](LearnedPoint& p) -> double& { return p.v(m, 1); }), 1e-5);
    EXPECT_NEAR((start.intercepts[0] - after.intercepts[0]) / 1e-7,
                slope(c, learned, start, lambda, [](LearnedPoint& p) -> double& { return p.intercepts[0]; }), 1e-5);
  }
}

}  // namespace
}  // namespace weft
