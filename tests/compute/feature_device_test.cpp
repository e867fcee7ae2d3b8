// Features on the GPU beside those of the CPU, which tests/features compares with their definitions.
#include "compute/device_matrix.hpp"

#include <weft/learned_activation.hpp>

#include "core/random.hpp"
#include "features/random_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "devices.hpp"

namespace weft::detail {
namespace {

using weft::testing::random_block;
using weft::testing::test_name;

constexpr double kTolerance = 1e-9;

const Device* gpu_or_null() {
  return weft::testing::tested_gpu();
}

/// The largest difference, relative to the largest value.
template <class T>
double difference(View<const T> got, View<const T> expected) {
  double largest = 0, difference = 0;
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j) {
      const double far = std::abs(static_cast<double>(got(i, j)) - static_cast<double>(expected(i, j)));
      difference = std::isnan(far) ? far : std::max(difference, far);
      if (std::isnan(difference)) return difference;
      largest = std::max(largest, std::abs(static_cast<double>(expected(i, j))));
    }
  return largest == 0 ? difference : difference / largest;
}

/// Expects so small a difference and records the largest of each operation, which --gtest_output=xml shows.
template <class T>
void expect_close(View<const T> got, View<const T> expected, double tolerance, const std::string& what) {
  static std::mutex mutex;
  static std::map<std::string, double> largest;
  const double far = difference<T>(got, expected);
  EXPECT_LE(far, tolerance) << what;
  const std::lock_guard lock(mutex);
  largest[what] = std::max(largest[what], far);
  std::ostringstream text;
  text << largest[what];
  ::testing::Test::RecordProperty(what, text.str());
}

template <class T>
BasicMatrix<T> filled(Index rows, Index cols, T value) {
  BasicMatrix<T> a(rows, cols);
  std::fill_n(a.data(), rows * cols, value);
  return a;
}

/// Rows of all kinds: small and large ones, and one of zeros.
Matrix some_rows(const FeatureMap& map, Index rows) {
  Matrix x = random_block(map.inputs().columns(), rows, 5);
  for (Index j = 0; j < x.rows(); ++j) {
    if (rows > 2) x(j, 2) = 0;
    if (rows > 3) x(j, 3) *= 1e-9;
    if (rows > 4) x(j, 4) *= 30;
    if (!map.inputs().bias || j + 1 < x.rows()) continue;
    for (Index i = 0; i < rows; ++i) x(j, i) = i == 2 ? 0 : 1;
  }
  return x;
}

/// Every operation on a map, on the CPU and the GPU, on views of host memory and of the device's.
class Comparison {
 public:
  Comparison(const FeatureMap& map, Matrix x, DeviceCopies* copies = nullptr)
      : parts_(map.parts(), copies), x_(std::move(x)), count_(map.features()), gpu_(*gpu_or_null()) {
    for (const FeaturePart& part : map.parts()) EXPECT_TRUE(gpu_.computes(part));
  }

  void all() {
    smoothings();
    single_precision();
    projected();
    for (const Index outputs : {1, 5}) gradients(outputs);
  }

  void smoothings() {
    compare(count_, kTolerance, "smoothings", [&](const Device& device, View<const double> x, View<double> out) {
      device.smoothings(parts_, x, out, {});
    });
  }
  void single_precision() {
    BasicMatrix<float> expected(count_, x_.cols()), got = filled<float>(count_, x_.cols(), 7);
    cpu().smoothings(parts_, x_, expected.view(), {});
    gpu_.smoothings(parts_, x_, got.view(), {});
    const double tolerance = 1e-6 * std::max(1.0, largest_projection());
    expect_close<float>(got, expected, tolerance, "single_precision");
    const DeviceMatrix<double> x(gpu_, x_);
    DeviceMatrix<float> own(gpu_, count_, x_.cols());
    gpu_.smoothings(parts_, x, own, {});
    expect_close<float>(own.on_host(), expected, tolerance, "single_precision");
  }
  void projected() {
    compare(count_, kTolerance, "projections",
            [&](const Device& device, View<const double> x, View<double> out) { device.project(parts_, x, out, {}); });
    Matrix projections(count_, x_.cols());
    cpu().project(parts_, x_, projections, {});
    compare(count_, kTolerance, "smooth_projected", [&](const Device& device, View<const double> x, View<double> out) {
      device.smooth_projected(parts_, x, projections, 1.7, out, {});
    });
    for (const char* h : {"relu", "sin"})
      compare(count_, kTolerance, "activate_projected",
              [&](const Device& device, View<const double> x, View<double> out) {
                device.activate_projected(parts_, x, projections, *find_activation(h), out, {});
              });
  }
  void gradients(Index outputs) {
    const Matrix coefficients = random_block(count_, outputs, 9);
    compare(outputs * x_.rows(), kTolerance, "gradients",
            [&](const Device& device, View<const double> x, View<double> out) {
              device.feature_gradients(parts_, x, coefficients, out, {});
            });
  }

 private:
  template <class Compute>
  void compare(Index rows, double tolerance, const char* what, const Compute& compute) {
    Matrix expected = filled<double>(rows, x_.cols(), 7), got = expected;
    compute(cpu(), x_, expected.view());
    compute(gpu_, x_, got.view());
    expect_close<double>(got, expected, tolerance, what);
    // On the device, with rows that are longer than the view.
    const DeviceMatrix<double> x(gpu_, padded(x_));
    DeviceMatrix<double> out(gpu_, filled<double>(rows + 2, x_.cols() + 5, 7).view());
    compute(gpu_, x.view().col_range(1, x_.cols()), out.view().row_range(1, rows).col_range(3, x_.cols()));
    const Matrix whole = out.on_host();
    expect_close<double>(whole.view().row_range(1, rows).col_range(3, x_.cols()), expected, tolerance, what);
    for (Index i = 0; i < whole.rows(); ++i)
      for (Index j = 0; j < whole.cols(); ++j) {
        const bool inside = i > 0 && i <= rows && j >= 3 && j < x_.cols() + 3;
        ASSERT_TRUE(inside || whole(i, j) == 7) << what;
      }
  }

  /// A bound of ⟨w, x⟩, whose rounding in single precision the features show.
  double largest_projection() const {
    double weights = 0, rows = 0;
    for (const FeaturePart& part : parts_)
      for (Index t = 0; t < part.centres.count(); ++t)
        weights = std::max(weights, cpu().norm(part.centres.weights.cols(), part.centres.weights.row(t)));
    for (Index i = 0; i < x_.cols(); ++i) {
      double square = 0;
      for (Index j = 0; j < x_.rows(); ++j) square += x_(j, i) * x_(j, i);
      rows = std::max(rows, std::sqrt(square));
    }
    return weights * rows;
  }

  static Matrix padded(const Matrix& x) {
    Matrix to = filled<double>(x.rows(), x.cols() + 4, std::nan(""));
    for (Index j = 0; j < x.rows(); ++j) std::copy_n(x.row(j), x.cols(), to.row(j) + 1);
    return to;
  }

  FeatureParts parts_;
  Matrix x_;
  Index count_;
  const Device& gpu_;
};

FamilyOptions options(const std::string& family, Index features) {
  FamilyOptions o;
  o.family = family;
  o.features = features;
  o.sigma = 0.8;
  o.gamma = 1.3;
  o.pool = 12;
  o.seed = 17;
  return o;
}

class FeaturesOfDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu_or_null() == nullptr) GTEST_SKIP() << "no GPU: " << gpus().problem;
  }
};
class FamiliesOfDevice : public FeaturesOfDevice, public ::testing::WithParamInterface<std::string> {};

std::vector<std::string> all_families() {
  std::vector<std::string> names;
  for (const FamilyRow& row : family_table()) {
    names.push_back(row.name);
    if (row.family.projection.kind == Projection::Kind::dense) names.push_back(row.name + "/sparse:2");
  }
  names.push_back("rw-relu/axis");
  names.push_back("rw-exp-cos/axis");
  return names;
}

TEST_P(FamiliesOfDevice, AreThoseOfTheCpu) {
  const FeatureMap map = FeatureMap::draw(options(GetParam(), 37), Inputs::plain(6, true));
  Comparison(map, some_rows(map, 45)).all();
}

TEST_P(FamiliesOfDevice, HavePhasesAndScales) {
  FamilyOptions shifted = options(GetParam(), 9);
  shifted.phase = 0.4;
  const FeatureMap map = FeatureMap::draw(shifted, Inputs::plain(4));
  const FeatureMap scaled = map.subset({0, 2, 3, 7}, {0.5, 3, 1, 0.1});
  Comparison(scaled, some_rows(map, 7)).all();
}

INSTANTIATE_TEST_SUITE_P(All, FamiliesOfDevice, ::testing::ValuesIn(all_families()),
                         [](const auto& family) { return test_name(family.param); });

void expect_any_shape(const std::string& family, const std::vector<Index>& some_inputs) {
  for (const Index inputs : some_inputs)
    for (const Index rows : {1, 257})
      for (const Index features : {1, 70}) {
        SCOPED_TRACE(family + ", " + std::to_string(inputs) + " inputs, " + std::to_string(rows) + " rows, " +
                     std::to_string(features) + " features");
        const FeatureMap map = FeatureMap::draw(options(family, features), Inputs::plain(inputs));
        Comparison(map, some_rows(map, rows)).all();
      }
}

TEST_F(FeaturesOfDevice, HaveAnyShape) {
  for (const char* dense : {"rw-relu", "rks-cos"}) expect_any_shape(dense, {1, 3, 300});
  for (const char* sparse : {"rw-sign/sparse:3", "rks-relu/sparse:2", "rw-stumps"}) expect_any_shape(sparse, {3, 20});
}

TEST_F(FeaturesOfDevice, AreOfSeveralParts) {
  const FeatureMap map =
      FeatureMap::draw(options("rw-stumps:30+rw-relu/sparse:3:50+rks-cos:20+rw-exp-abs:11+rks-sign/sparse:2:5", 116),
                       Inputs::plain(8, true));
  Comparison(map, some_rows(map, 100)).all();
}

TEST_F(FeaturesOfDevice, HaveNoRows) {
  const FeatureMap map = FeatureMap::draw(options("rw-relu", 5), Inputs::plain(3));
  Matrix x(3, 0), phi(5, 0);
  gpu_or_null()->smoothings(map.parts(), x, phi, {});
  gpu_or_null()->project(map.parts(), x, phi, {});
}

TEST_F(FeaturesOfDevice, AreOfStructuredCentres) {
  for (const Index inputs : {1, 14, 200, 300, 700, 1500, 2500})
    for (const char* family : {"rw-relu", "rks-cos"}) {
      FamilyOptions structured = options(family, inputs <= 300 ? 2 * inputs + 123 : 40);
      structured.sampling = Sampling::structured;
      const FeatureMap map = FeatureMap::draw(structured, Inputs::plain(inputs, inputs > 1));
      ASSERT_GT(map.parts().front().centres.hadamard.rows(), 0);
      SCOPED_TRACE(std::to_string(inputs) + " inputs");
      Comparison(map, some_rows(map, 39)).all();
    }
}

// Transforms too large for the shared memory of a processor; their weights are left out.
TEST_F(FeaturesOfDevice, AreOfLargeStructuredCentres) {
  const Index inputs = 5000, size = 8192;
  FeaturePart part = FeatureMap::draw(options("rw-sign", 5), Inputs::plain(1)).parts().front();
  part.centres.groups.front().columns.clear();
  for (Index j = 0; j < inputs; ++j) part.centres.groups.front().columns.push_back(j);
  part.centres.group_of.assign(static_cast<std::size_t>(size + 100), 0);
  part.centres.hadamard = random_block(8, size, 3);
  part.centres.phases.clear();
  const std::vector<FeaturePart> parts = {part};
  Matrix x = random_block(inputs, 35, 4);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < 35; ++i) x(j, i) *= 1e-8;
  Matrix expected(size + 100, 35), got = expected;
  cpu().project(parts, x, expected, {});
  gpu_or_null()->project(parts, x, got, {});
  expect_close<double>(got, expected, kTolerance, "others");
  cpu().smoothings(parts, x, expected, {});
  gpu_or_null()->smoothings(parts, x, got, {});
  expect_close<double>(got, expected, kTolerance, "others");
}

// More groups and rows than are computed at once.
TEST_F(FeaturesOfDevice, AreOfManyGroups) {
  FamilyOptions many = options("rw-relu/sparse:3", 4000);
  many.pool = 4000;
  const FeatureMap map = FeatureMap::draw(many, Inputs::plain(40));
  Comparison(map, some_rows(map, 1100)).smoothings();
}

TEST_F(FeaturesOfDevice, ShareACopyBetweenThreads) {
  const FeatureMap map = FeatureMap::draw(options("rw-relu/sparse:3:50+rks-cos:20", 70), Inputs::plain(8));
  DeviceCopies copies;
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 3; ++repeat) Comparison(map, some_rows(map, 50), &copies).all();
    });
  for (std::thread& thread : threads) thread.join();
}

/// Random factors of a basis, some at both ends 0.
ActivationPtr learned(const ActivationBasis& basis) {
  std::vector<double> factors(static_cast<std::size_t>(basis.count));
  for (std::size_t k = 1; k + 2 < factors.size(); ++k) factors[k] = std::sin(static_cast<double>(7 * k));
  return std::make_shared<LearnedActivation>(basis, factors);
}

TEST_F(FeaturesOfDevice, AreOfLearnedActivations) {
  std::vector<ActivationPtr> activations = {learned(ActivationBasis::rbf(-3, 3, 12))};
  for (Index degree = 1; degree <= 5; ++degree) {
    activations.push_back(learned(ActivationBasis::bspline(-3, 3, 14, degree)));
    activations.push_back(learned(ActivationBasis::bspline(-1, 1, 40, degree)));  // spreads of many cells
  }
  for (const char* family : {"rw-relu", "rks-relu", "rw-stumps", "rw-exp-relu/sparse:2"}) {
    const FeatureMap map = FeatureMap::draw(options(family, 13), Inputs::plain(4, true));
    for (const ActivationPtr& h : activations) {
      SCOPED_TRACE(family);
      Comparison(map.with_activation(h), some_rows(map, 40)).all();
    }
  }
}

TEST_F(FeaturesOfDevice, AreOfBasisFunctions) {
  const FeatureMap map = FeatureMap::draw(options("rw-relu:9+rks-relu:8", 17), Inputs::plain(4));
  const Matrix x = some_rows(map, 40);
  Matrix projections(17, 40), expected(17, 40), got(17, 40);
  cpu().project(map.parts(), x, projections, {});
  for (const ActivationBasis& basis : {ActivationBasis::rbf(-3, 3, 8), ActivationBasis::bspline(-3, 3, 8, 3)})
    for (Index i = 0; i < 8; ++i) {
      const ActivationPtr h = LearnedActivation::basis_function(basis, i);
      cpu().activate_projected(map.parts(), x, projections, *h, expected, {});
      gpu_or_null()->activate_projected(map.parts(), x, projections, *h, got, {});
      expect_close<double>(got, expected, kTolerance, "others");
    }
  const LearnedActivation none(ActivationBasis::bspline(-3, 3, 8, 3), std::vector<double>(8));
  gpu_or_null()->activate_projected(map.parts(), x, projections, none, got, {});
  EXPECT_EQ(difference<double>(got, Matrix(17, 40)), 0);
}

TEST_F(FeaturesOfDevice, AreOfActivationsWithAFormula) {
  const auto custom = custom_activation("relu", [](double z) { return std::max(z, 0.0); }, {0});
  const FeatureMap map = FeatureMap::draw(options("rw-relu", 5), Inputs::plain(3)).with_activation(custom);
  EXPECT_FALSE(gpu_or_null()->computes(map.parts().front()));
  Matrix x = random_block(3, 4, 1), phi(5, 4);
  EXPECT_THROW(gpu_or_null()->smoothings(map.parts(), x, phi, {}), std::runtime_error);
}

}  // namespace
}  // namespace weft::detail
