#include "data/rows/piece_sums.hpp"

#include "data/rows/gather_rows.hpp"
#include "data/rows/row_filter.hpp"
#include "distributed/thread_processes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace weft::testing {

using namespace detail;
namespace {

constexpr Index kCount = 5 * kBlockRows + 100;

/// Row i is (i, 1 / (i + 1)); those of this process.
class CountedRows final : public BlockSource {
 public:
  explicit CountedRows(Communicator* processes) {
    if (processes != nullptr) set_share(RowShare::of(kCount, kBlockRows, *processes));
  }
  Index rows() const override { return kCount; }
  Index outputs() const override { return 1; }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    const Index end = share() != nullptr ? share()->end() : kCount;
    for (Index first = share() != nullptr ? share()->begin() : 0; first < end; first += kBlockRows) {
      const Index count = std::min(kBlockRows, end - first);
      Matrix x(1, count), y(1, count);
      for (Index i = 0; i < count; ++i) {
        x(0, i) = static_cast<double>(first + i);
        y(0, i) = 1 / static_cast<double>(first + i + 1);
      }
      if (!consume({x, y, nullptr, first})) return;
    }
  }
};

double summed(const BlockSource& rows) {
  MatrixSums sums(rows, 1, 1);
  rows.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) sums.of(block.first_row)(0, 0) += block.y(0, i);
    return true;
  });
  return sums.all()(0, 0);
}

TEST(PieceSums, HaveTheSameBitsWithAndWithoutProcesses) {
  const double alone = summed(CountedRows(nullptr));
  double harmonic = 0;
  for (Index i = kCount; i > 0; --i) harmonic += 1 / static_cast<double>(i);
  EXPECT_NEAR(alone, harmonic, 1e-13);
  for (const int size : {1, 2, 3, 9})
    EXPECT_EQ(on_processes(size, [](Communicator& process) { return summed(CountedRows(&process)); }), alone) << size;
}

/// Every row but those of the first piece, and of the others two in three.
std::vector<bool> kept() {
  std::vector<bool> keep;
  for (Index i = 0; i < kCount; ++i) keep.push_back(i >= kBlockRows && i % 3 != 0);
  return keep;
}

TEST(SharedSelection, HasTheRowsOfTheSelectionInItsPieces) {
  const std::vector<bool> keep = kept();
  const Index count = std::count(keep.begin(), keep.end(), true);
  for (const int size : {1, 2, 4}) {
    const std::vector<double> found = on_processes(size, [&](Communicator& process) {
      const CountedRows all(&process);
      const auto some = filter_rows(all, keep);
      EXPECT_EQ(some->rows(), count);
      EXPECT_EQ(some->share()->rows(), count);
      std::vector<double> own;
      Index next = some->share()->begin();
      some->for_each([&](const TrainingBlock& block) {
        EXPECT_EQ(block.first_row, next);
        EXPECT_EQ(some->share()->piece_of(block.first_row),
                  some->share()->piece_of(block.first_row + block.rows() - 1));
        next += block.rows();
        own.insert(own.end(), block.x.row(0), block.x.row(0) + block.rows());
        return true;
      });
      EXPECT_EQ(next, some->share()->end());
      gather(all.share(), own);
      return own;
    });
    ASSERT_EQ(static_cast<Index>(found.size()), count) << size;
    std::size_t k = 0;
    for (Index i = 0; i < kCount; ++i)
      if (keep[static_cast<std::size_t>(i)]) {
        EXPECT_EQ(found[k++], static_cast<double>(i));
      }
  }
}

TEST(SharedSelection, SumsHaveTheSameBitsForAnyNumberOfProcesses) {
  const auto sum_of_kept = [](Communicator& process) {
    const CountedRows all(&process);
    return summed(*filter_rows(all, kept()));
  };
  const double one = on_processes(1, sum_of_kept);
  for (const int size : {2, 3, 6}) EXPECT_EQ(on_processes(size, sum_of_kept), one) << size;
}

TEST(SharedRows, AreGatheredByTheirNumbersOnEveryProcess) {
  const std::vector<Index> wanted = {0, 7, kBlockRows - 1, kBlockRows, 3 * kBlockRows + 5, kCount - 1};
  for (const int size : {1, 2, 5}) {
    const Matrix x = on_processes(size, [&](Communicator& process) {
      Matrix found = gather_rows(CountedRows(&process), wanted).x;
      EXPECT_EQ(found.cols(), static_cast<Index>(wanted.size()));
      return found;
    });
    for (std::size_t k = 0; k < wanted.size(); ++k)
      EXPECT_EQ(x(0, static_cast<Index>(k)), static_cast<double>(wanted[k]));
  }
}

}  // namespace
}  // namespace weft::testing
