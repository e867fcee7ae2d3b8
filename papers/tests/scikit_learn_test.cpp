// Contenders of scikit-learn, where Python has it.
#include "scikit_learn.hpp"

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace weft::papers {
namespace {

// Folds of neighbouring rows would have to extrapolate, and choose what predicts a constant.
TEST(Contenders, AreSearchedInFoldsOfShuffledRows) {
  if (!has_scikit_learn()) GTEST_SKIP() << "no Python here has scikit-learn";
  const detail::TemporaryFolder folder;
  std::ofstream train(folder.file("train.csv")), test(folder.file("test.csv"));
  train << "x,y\n";
  test << "x,y\n";
  for (int i = 0; i < 160; ++i) (i % 4 == 3 ? test : train) << 0.05 * i << ',' << std::sin(0.3 * i) + 0.02 * i << '\n';
  train.close();
  test.close();
  const DataSplit data{read(folder.file("train.csv"), {.target = "y"}), read(folder.file("test.csv"), {.target = "y"})};
  const ContenderResult svm = run_contender("svm", data, {.scale = Scaling::standard, .bias = false}, 50, {}, 1, {});
  EXPECT_LT(svm.test_loss, 0.1);  // of a variance of 1.3
}

}  // namespace
}  // namespace weft::papers
