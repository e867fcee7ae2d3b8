// The split of the papers' authors against what NumPy and scikit-learn return.
#include "authors_split.hpp"
#include "stand_ins.hpp"
#include "temporary_folder.hpp"
#include "trained.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace weft::papers {
namespace {

TEST(AuthorsSplit, PermutesAsNumPyDoes) {
  EXPECT_EQ(numpy_permutation(0, 10), (std::vector<Index>{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}));
  EXPECT_EQ(numpy_permutation(42, 10), (std::vector<Index>{8, 1, 5, 0, 7, 2, 9, 4, 3, 6}));
  EXPECT_EQ(numpy_permutation(0, 1), (std::vector<Index>{0}));
}

std::vector<Index> ends(const std::vector<Index>& rows) {
  return {rows[0], rows[1], rows[2], rows.end()[-2], rows.end()[-1]};
}

// train_test_split(numpy.arange(rows), test_size=0.25, random_state=0), scikit-learn 1.2.1
TEST(AuthorsSplit, IsThatOfScikitLearn) {
  const AuthorsSplit diabetes = authors_split(442), skin = authors_split(245057);
  ASSERT_EQ(diabetes.train.size(), 331U);
  ASSERT_EQ(diabetes.test.size(), 111U);
  EXPECT_EQ(ends(diabetes.train), (std::vector<Index>{20, 353, 281, 47, 172}));
  EXPECT_EQ(ends(diabetes.test), (std::vector<Index>{362, 249, 271, 68, 437}));
  ASSERT_EQ(skin.train.size(), 183792U);
  ASSERT_EQ(skin.test.size(), 61265U);
  EXPECT_EQ(ends(skin.train), (std::vector<Index>{231910, 180842, 90284, 43567, 199340}));
  EXPECT_EQ(ends(skin.test), (std::vector<Index>{196804, 40373, 103306, 78465, 35431}));
}

/// The first input of every row.
std::vector<double> first_cells(const Data& data) {
  std::vector<double> cells;
  const auto reader = data.open();
  for (RawBlock block; reader->next(block, 7);)
    for (Index i = 0; i < block.rows(); ++i) cells.push_back(block.columns(0, i));
  return cells;
}

TEST(AuthorsSplit, IsThatOfEverySeedUnderThePapersProtocol) {
  const detail::TemporaryFolder folder;
  testing::write_stand_ins(folder.path().string());
  const Bench bench{DataFolder(folder.path().string()), Size::tiny};
  const std::vector<double> all = first_cells(bench.data.open("concrete"));
  std::vector<double> expected;
  std::vector<Index> rows = authors_split(static_cast<Index>(all.size())).test;
  std::sort(rows.begin(), rows.end());
  for (const Index row : rows) expected.push_back(all[static_cast<std::size_t>(row)]);
  for (const int seed : {1, 2}) {
    const std::vector<Json> keys = both_protocols({{"set", "concrete"}, {"seed", seed}});
    EXPECT_EQ(first_cells(open_cell(keys.front(), bench).data.test), expected);
    EXPECT_NE(first_cells(open_cell(keys.back(), bench).data.test), expected);
  }
}

TEST(AuthorsSplit, IsNotThatOfSetsWithAnOfficialOne) {
  const std::vector<Json> keys = both_protocols({{"set", "adult"}, {"seed", 1}});
  EXPECT_FALSE(keys.front().contains("split"));
}

}  // namespace
}  // namespace weft::papers
