#include <weft/input_transform.hpp>

#include <gtest/gtest.h>

#include <limits>

#include "data/expect_error.hpp"

namespace weft::testing {
namespace {

Matrix numbers(Index rows, Index cols) {
  Matrix matrix(rows, cols);
  for (Index i = 0; i < rows * cols; ++i) matrix.data()[i] = static_cast<double>((i * 37) % 11) - 4.5;
  return matrix;
}

TEST(InputTransform, WithoutPartsIsTheIdentity) {
  const Matrix x = numbers(4, 7);
  const Matrix same = InputTransform().apply(x);
  ASSERT_EQ(same.rows(), 4);
  for (Index i = 0; i < 28; ++i) EXPECT_EQ(same.data()[i], x.data()[i]);
}

TEST(InputTransform, IsAMatrixTimesFactorsOfChosenColumns) {
  const Matrix x = numbers(5, 9);
  const std::vector<Index> all = {0, 1, 2, 3, 4};
  for (const std::vector<Index>& columns : {std::vector<Index>(), std::vector<Index>{0, 3, 4}})
    for (const bool factors : {false, true})
      for (const bool matrix : {false, true}) {
        const std::vector<Index>& chosen = columns.empty() ? all : columns;
        const auto count = static_cast<Index>(chosen.size());
        InputTransform transform{.columns = columns};
        if (factors) transform.factors.assign(chosen.size(), 0.3);
        if (factors) transform.factors[1] = -7;
        if (matrix) transform.matrix = numbers(2, count);
        transform.check(5);
        const Matrix own = transform.apply(x.view());
        ASSERT_EQ(own.rows(), transform.inputs(5));
        ASSERT_EQ(own.rows(), matrix ? 2 : count);
        const auto scaled = [&](Index j, Index i) {
          return (factors ? transform.factors[static_cast<std::size_t>(j)] : 1) *
                 x(chosen[static_cast<std::size_t>(j)], i);
        };
        for (Index i = 0; i < 9; ++i)
          for (Index r = 0; r < own.rows(); ++r) {
            double sum = matrix ? 0 : scaled(r, i);
            for (Index j = 0; matrix && j < count; ++j) sum += transform.matrix(r, j) * scaled(j, i);
            EXPECT_NEAR(own(r, i), sum, 1e-13);
          }
      }
}

TEST(InputTransform, OwnInputsKeepTheirNamesAndVariables) {
  const Inputs encoded{{"a", "b=x", "b=y", "c", "(bias)"}, {0, 1, 1, 2, -1}, true};
  EXPECT_EQ(InputTransform().inputs(encoded).names, encoded.names);
  const Inputs some = InputTransform{.columns = {1, 2, 4}}.inputs(encoded);
  EXPECT_EQ(some.names, (std::vector<std::string>{"b=x", "b=y", "(bias)"}));
  EXPECT_EQ(some.variable_of, (std::vector<Index>{0, 0, -1}));
  EXPECT_TRUE(some.bias);
  EXPECT_EQ(some.variables(), 1);
  const Inputs others = InputTransform{.columns = {0, 3}}.inputs(encoded);
  EXPECT_EQ(others.variable_of, (std::vector<Index>{0, 1}));
  EXPECT_FALSE(others.bias);
  EXPECT_EQ(InputTransform{.matrix = numbers(7, 5)}.inputs(encoded).variables(), 7);
}

TEST(InputTransform, RefusesWhatDoesNotFit) {
  const auto refuse = [](const InputTransform& transform) {
    expect_error([&] { transform.check(3); }, ErrorKind::model, {"inconsistent"});
  };
  refuse({.columns = {3}});
  refuse({.columns = {-1}});
  refuse({.columns = {1, 1}});
  refuse({.columns = {2, 1}});
  refuse({.factors = {1, 2}});
  refuse({.columns = {1}, .factors = {1, 2, 3}});
  refuse({.matrix = numbers(2, 2)});
  refuse({.columns = {1}, .matrix = numbers(2, 3)});
  refuse({.factors = {1, std::numeric_limits<double>::quiet_NaN(), 2}});
  EXPECT_NO_THROW((InputTransform{.columns = {0, 2}, .factors = {0, 2}, .matrix = numbers(9, 2)}.check(3)));
}

}  // namespace
}  // namespace weft::testing
