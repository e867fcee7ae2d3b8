// Blocks that another thread reads are those of the reader.
#include "data/encode/read_ahead.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

Run ahead() {
  Run run;
  run.threads = 1;
  run.device = "gpu";  // none is used
  return run;
}

class CountingRows final : public Encoder::BlockReader {
 public:
  explicit CountingRows(Index rows, Index fails_at = -1) : rows_(rows), fails_at_(fails_at) {}
  bool next(Block& block, Index rows) override {
    if (next_ == fails_at_) throw Error(ErrorKind::data, "a bad cell");
    block.x.reshape(1, std::min(rows, rows_ - next_));
    block.first_row = next_;
    for (Index i = 0; i < block.rows(); ++i) block.x(0, i) = static_cast<double>(next_++);
    return block.rows() > 0;
  }
  double fraction() const override { return static_cast<double>(next_) / static_cast<double>(rows_); }

 private:
  Index rows_, fails_at_;
  Index next_ = 0;
};

TEST(ReadAhead, DeliversEveryRowOnceAndPrepared) {
  for (const weft::Run& run : {weft::Run{.threads = 1}, ahead()}) {
    ReadAhead reader(std::make_unique<CountingRows>(10'000), 256, 1, run,
                     [](Block& block) { block.weights.assign(static_cast<std::size_t>(block.rows()), 2); });
    Index seen = 0;
    for (Block block; reader.next(block);) {
      EXPECT_EQ(block.first_row, seen);
      EXPECT_EQ(block.weights.size(), static_cast<std::size_t>(block.rows()));
      for (Index i = 0; i < block.rows(); ++i) EXPECT_EQ(block.x(0, i), static_cast<double>(seen++));
    }
    EXPECT_EQ(seen, 10'000);
    EXPECT_EQ(reader.fraction(), 1);
    Block block;
    EXPECT_FALSE(reader.next(block));
  }
}

TEST(ReadAhead, HandsOverErrors) {
  ReadAhead reader(std::make_unique<CountingRows>(10'000, 4096), 1024, 1, ahead());
  Block block;
  Index seen = 0;
  EXPECT_THROW(while (reader.next(block)) seen += block.rows(), Error);
  EXPECT_EQ(seen, 4096);
}

TEST(ReadAhead, MayBeLeftAtAnyTime) {
  for (const int blocks : {0, 1, 2}) {
    ReadAhead reader(std::make_unique<CountingRows>(10'000), 256, 1, ahead());
    Block block;
    for (int k = 0; k < blocks; ++k) EXPECT_TRUE(reader.next(block));
  }
}

}  // namespace
}  // namespace weft
