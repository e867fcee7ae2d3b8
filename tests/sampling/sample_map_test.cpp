#include "sampling/sample_map.hpp"

#include "dense_algebra.hpp"
#include "features/draws.hpp"
#include "methods/table_rows.hpp"
#include "sampling/choose.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using testing_rows::smooth_problem;
using testing_rows::TableRows;

FamilyOptions with(Sampling sampling, const std::string& family = "rff-rbf") {
  FamilyOptions options;
  options.family = family;
  options.sampling = sampling;
  options.features = 12;
  options.sigma = 0.6;
  return options;
}

FeatureMap sample(const FamilyOptions& options, const TableRows& rows, const TableRows& inputs, int threads = 1) {
  return sample_map(options, Inputs::plain(3, true), {rows, inputs}, {.threads = threads}, nullptr);
}

bool same(const FeatureMap& a, const FeatureMap& b) {
  if (a.features() != b.features()) return false;
  for (std::size_t k = 0; k < a.parts().size(); ++k) {
    const Centres& left = a.parts()[k].centres;
    const Centres& right = b.parts()[k].centres;
    if (left.scales != right.scales || left.count() != right.count()) return false;
    if (!std::equal(left.weights.data(), left.weights.data() + left.count() * left.weights.cols(),
                    right.weights.data()))
      return false;
  }
  return true;
}

TEST(SampleMap, DrawsWhatNeedsNoRowsAsEver) {
  const TableRows rows = smooth_problem(3, 80, 1, 1);
  for (const Sampling sampling :
       {Sampling::plain, Sampling::orthogonal, Sampling::structured, Sampling::halton, Sampling::sobol})
    EXPECT_TRUE(same(sample(with(sampling), rows, rows), FeatureMap::draw(with(sampling), Inputs::plain(3, true))));
}

TEST(SampleMap, ChoosesOfEveryFamilyOnAnyNumberOfThreads) {
  const TableRows rows = smooth_problem(3, 3000, 2, 1);
  for (const char* family : {"rff-rbf", "rff-laplace", "rw-relu", "rks-sign", "rw-stumps:4+rw-relu/sparse:2", "auto"})
    for (const Sampling sampling : {Sampling::leverage, Sampling::leverage_top, Sampling::eerf, Sampling::lkrf}) {
      const FamilyOptions options = with(sampling, family);
      const FeatureMap map = sample(options, rows, rows);
      EXPECT_TRUE(same(map, sample(options, rows, rows, 3))) << family << " " << name_of(sampling);
      if (sampling == Sampling::leverage)
        EXPECT_TRUE(map.features() <= 12 && map.features() >= 4) << map.features();
      else
        EXPECT_EQ(map.features(), 12) << family << " " << name_of(sampling);
    }
}

TEST(SampleMap, LooksAtTheRowsItIsToldTo) {
  const TableRows rows = smooth_problem(3, 60, 1, 1);
  const TableRows others = smooth_problem(3, 900, 1, 2);
  // Leverage by the inputs of the others, alignment by the labelled rows.
  EXPECT_TRUE(same(sample(with(Sampling::leverage), rows, others), sample(with(Sampling::leverage), others, others)));
  EXPECT_FALSE(
      same(sample(with(Sampling::leverage_top), rows, others), sample(with(Sampling::leverage_top), rows, rows)));
  EXPECT_TRUE(same(sample(with(Sampling::eerf), rows, others), sample(with(Sampling::eerf), rows, rows)));
  EXPECT_FALSE(same(sample(with(Sampling::eerf), rows, rows), sample(with(Sampling::eerf), others, rows)));
}

TEST(SampleMap, UniformScoresGivePlainFeatures) {
  // As many candidates as features, all taken; a divergence of 0; a target without information.
  const TableRows rows = smooth_problem(3, 60, 1, 1);
  FamilyOptions options = with(Sampling::leverage_top);
  options.candidates = 12;
  const FeatureMap plain = FeatureMap::draw(with(Sampling::plain), Inputs::plain(3, true));
  EXPECT_TRUE(same(sample(options, rows, rows), plain));
  options = with(Sampling::lkrf);
  options.sampling_rho = 0;
  const FeatureMap uniform = sample(options, rows, rows);
  for (Index t = 0; t < 12; ++t) {
    EXPECT_EQ(uniform.parts()[0].scale(t), plain.parts()[0].scale(t));
    EXPECT_EQ(uniform.parts()[0].centres.weights(t, 0), plain.parts()[0].centres.weights(t, 0));
  }
  TableRows constant = rows;
  for (Index i = 0; i < 60; ++i) constant.y(0, i) = 5;
  EXPECT_TRUE(same(sample(with(Sampling::eerf), constant, constant), plain));
}

// ELSS approximates the kernel of the pool: on average over its draws, better than that many plain features do.
TEST(SampleMap, LeverageApproximatesThePoolsKernelInItsSpectrum) {
  const TableRows rows = smooth_problem(3, 120, 1, 5);
  FamilyOptions options = with(Sampling::leverage);
  options.features = 60;
  options.sigma = 0.5;
  double sampled = 0, plain = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    options.seed = seed;
    options.sampling = Sampling::leverage;
    const auto kernel_of = [&](const FeatureMap& map) {
      Matrix phi(map.features(), 120);
      map.smoothings(rows.x, phi);
      const auto dense = testing_rows::to_eigen(phi);
      return testing_rows::RowMatrix(dense.transpose() * dense / static_cast<double>(map.features()));
    };
    const auto pool = kernel_of(draw_candidates(options, Inputs::plain(3, true), 0, {}, nullptr));
    // The error that ridge regression sees: relative to (K + NλI).
    const testing_rows::RowMatrix ridge = pool + 120.0 / 120 * testing_rows::RowMatrix::Identity(120, 120);
    const testing_rows::RowMatrix root = testing::inverse_root(ridge);
    const auto error = [&](const FeatureMap& map) { return (root * (kernel_of(map) - pool) * root).norm(); };
    sampled += error(sample(options, rows, rows));
    options.sampling = Sampling::plain;
    plain += error(FeatureMap::draw(options, Inputs::plain(3, true)));
  }
  EXPECT_LT(sampled, plain);
}

}  // namespace
}  // namespace weft
