#include "methods/descent/iterate.hpp"

#include "methods/descent_problem.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;

using Scene = BasicScene<FunctionalGradientOptions>;
namespace {

const std::vector<std::string> kFamilies = {"rw-sign",   "rw-exp-relu", "rw-relu/sparse:2",
                                            "rw-stumps", "rks-cos",     "rw-stumps:14+rw-relu:9+rks-sign:7"};

TEST(FeatureStream, GramRowsAreThoseOfTheMap) {
  for (const std::string& family : kFamilies) {
    const Scene scene(family, 30, 4);
    const Matrix gram = scene.map.gram();
    const std::vector<double> logs = scene.map.log_amplitudes();
    const FeatureStream stream(scene.map, 8);
    std::vector<Index> seen;
    for (const FeatureChunk& chunk : stream.chunks()) {
      const GramRows rows = stream.gram_rows(chunk, scene.run);
      for (Index v = chunk.first; v < chunk.first + chunk.count; ++v) {
        const Index t = stream.column(v);
        const auto factor = [&](Index s) {  // from the scaled entries back to K
          return std::exp(logs[static_cast<std::size_t>(s)] - stream.log_scale() + stream.log_norm_scale());
        };
        for (const Index s : seen) {
          Matrix unit(stream.features(), 1);
          unit(s, 0) = 1;
          EXPECT_NEAR(rows.dot(v, unit, 0) * factor(s) * factor(t), gram(s, t), 1e-12 * gram(t, t)) << family;
        }
        EXPECT_NEAR(rows.diagonal(v) * factor(t) * factor(t) / gram(t, t), 1, 1e-12) << family;
        EXPECT_LE(rows.diagonal(v), 1 + 1e-12);
        seen.push_back(t);
      }
    }
    EXPECT_EQ(static_cast<Index>(seen.size()), scene.map.features());
  }
}

TEST(FeatureStream, UnionsTakeTurns) {
  const Scene scene("rw-stumps:20+rw-relu:10", 30, 4);
  const FeatureStream stream(scene.map, 6);
  for (const FeatureChunk& chunk : stream.chunks()) EXPECT_EQ(chunk.count_in_part, (std::vector<Index>{4, 2}));
}

TEST(FeatureStream, ChunkMapsAndActivations) {
  for (const std::string& family : kFamilies) {
    const Scene scene(family, 30, 25);
    Matrix whole(30, 25);
    scene.map.smoothings(scene.x, whole.view());
    // Without a kernel there is no smoothing: the same centres then give φ itself.
    std::vector<FeaturePart> plain = scene.map.parts();
    for (FeaturePart& part : plain) part.family.kernel = WeightKernel();
    Matrix raw(30, 25);
    FeatureMap::from_parts(plain, scene.map.inputs()).smoothings(scene.x, raw.view());
    const std::vector<Index> rows = {3, 3, 24, 0};
    const FeatureStream stream(scene.map, 7);
    for (const FeatureChunk& chunk : stream.chunks()) {
      Matrix values(chunk.count, 25);
      stream.chunk_map(chunk).smoothings(scene.x, values.view());
      for (Index v = chunk.first; v < chunk.first + chunk.count; ++v) {
        double phi[4];
        stream.activation(v, scene.x, rows.data(), 4, phi);
        for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(phi[i], raw(stream.column(v), rows[i]), 1e-12) << family;
        for (Index i = 0; i < 25; ++i)
          EXPECT_NEAR(values(stream.row_in_chunk(chunk, v), i), whole(stream.column(v), i), 1e-13) << family;
      }
    }
  }
}

/// A made-up descent: shrinks and additions of all sizes, an explicit copy of every iterate beside it.
TEST(Iterate, NormPredictionsAndAverageMatchTheDefinition) {
  for (const std::string& family : kFamilies) {
    const Scene scene(family, 30, 12, 2);
    const FeatureStream stream(scene.map, 8);
    const EigenMatrix gram = to_eigen(scene.map.gram());
    const std::vector<double> logs = scene.map.log_amplitudes();
    Matrix smooth(30, 12);
    scene.map.smoothings(scene.x, smooth.view());
    Iterate iterate(30, {0.5, -1});
    iterate.predictions() = Matrix(2, 12);
    EigenMatrix b = EigenMatrix::Zero(30, 2);
    EigenMatrix sum = b;
    const Random random(3, RandomStream::fit);
    for (const FeatureChunk& chunk : stream.chunks()) {
      const GramRows rows = stream.gram_rows(chunk, scene.run);
      for (Index v = chunk.first; v < chunk.first + chunk.count; ++v) {
        for (Index k = 0; k < 2; ++k) {
          // Now and then by 1e-60, so that the lazy scale would underflow within a chunk.
          const double factor = v % 3 == 0 ? 1e-60 : random.uniform(static_cast<std::uint64_t>(v));
          const double step = random.normal(static_cast<std::uint64_t>(v), static_cast<std::uint32_t>(k));
          iterate.multiply(k, factor);
          iterate.add(k, stream, rows, v, step, smooth.row(stream.column(v)), scene.run);
          b.col(k) *= factor;
          b(stream.column(v), k) = step;
          Eigen::VectorXd a = b.col(k);
          for (Index t = 0; t < 30; ++t) a[t] *= std::exp(stream.log_scale() - logs[static_cast<std::size_t>(t)]);
          const double square = a.dot(gram * a);
          const double running = iterate.norm_square(k) * std::exp(2 * stream.log_norm_scale());
          EXPECT_NEAR(running / square, 1, 1e-10) << family << " at " << v;
          for (Index i = 0; i < 12; ++i)
            EXPECT_NEAR(iterate.prediction(k, i), b.col(k).dot(to_eigen(smooth).col(i)), 1e-12) << family;
        }
        iterate.intercept(0) += 1;
        iterate.count();
        sum += b;
      }
      iterate.fold();
    }
    EXPECT_LT((to_eigen(iterate.average()) - sum / 31).cwiseAbs().maxCoeff(), 1e-13) << family;
    EXPECT_NEAR(iterate.average_intercepts()[0], 0.5 + 15, 1e-12);  // mean of 0.5, 1.5, …, 30.5
    EXPECT_NEAR(iterate.average_intercepts()[1], -1, 1e-12);
  }
}

TEST(Iterate, ProjectionShortensToTheRadius) {
  const Scene scene("rw-sign", 4, 5);
  const FeatureStream stream(scene.map, 4);
  const GramRows rows = stream.gram_rows(stream.chunks().front(), scene.run);
  Iterate iterate(4, {0});
  iterate.predictions() = Matrix(1, 5);
  const std::vector<double> values(5, 1.0);
  iterate.add(0, stream, rows, 0, 8, values.data(), scene.run);
  const double norm = std::sqrt(iterate.norm_square(0));
  iterate.project(0, 2 * norm);
  EXPECT_EQ(iterate.prediction(0, 0), 8);
  iterate.project(0, norm / 4);
  EXPECT_NEAR(iterate.prediction(0, 0), 2, 1e-14);
  EXPECT_NEAR(iterate.norm_square(0), norm * norm / 16, 1e-14 * norm * norm);
}

}  // namespace
}  // namespace weft
