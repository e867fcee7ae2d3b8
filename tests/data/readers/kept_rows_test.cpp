#include "data/readers/kept_rows.hpp"

#include "core/random.hpp"
#include "data/readers/packed_block.hpp"
#include "data/table_testing.hpp"

#include <cstring>
#include <thread>

namespace weft {

using namespace detail;
namespace {

using testing::expect_rows;
using testing::memory_table;
using testing::read_all;

/// A table that counts the rows parsed of it.
class CountedTable {
 public:
  explicit CountedTable(Index rows) {
    std::vector<double> numbers, mostly_zero;
    std::vector<std::string> texts;
    const Random random(5, RandomStream::fit);
    for (Index i = 0; i < rows; ++i) {
      const auto r = static_cast<std::uint64_t>(i);
      numbers.push_back(i % 17 == 3 ? testing::kMissing : random.normal(r));
      mostly_zero.push_back(i % 50 == 0 ? -0.0 : i % 31 == 0 ? random.normal(r, 1) : 0.0);
      texts.push_back(i % 23 == 0 ? "" : "t" + std::to_string(random.below(i / 10 + 1, r, 2)));
    }
    const Data data = memory_table({{"number", numbers}, {"zero", mostly_zero}, {"text", texts}}, "", "", 1000);
    open_ = [data, parsed = parsed_]() -> std::unique_ptr<RowReader> {
      return std::make_unique<Counting>(data.open(), parsed);
    };
  }

  Data kept(std::size_t in_memory = kKeptInMemory) const {
    return {"kept", {}, keep_rows(open_, open_()->columns(), 0, in_memory)};
  }
  Data plain() const { return {"plain", {}, open_}; }
  Index take_parsed() const { return std::exchange(*parsed_, 0); }

 private:
  class Counting final : public RowReader {
   public:
    Counting(std::unique_ptr<RowReader> inner, std::shared_ptr<Index> parsed)
        : inner_(std::move(inner)), parsed_(std::move(parsed)) {}
    const std::vector<Column>& columns() const override { return inner_->columns(); }
    const std::vector<std::string>& dictionary(Index column) const override { return inner_->dictionary(column); }
    bool next(RawBlock& block, Index max_rows) override {
      if (!inner_->next(block, max_rows)) return false;
      *parsed_ += block.rows();
      return true;
    }
    std::string place(Index row, Index column) const override { return inner_->place(row, column); }
    double fraction() const override { return inner_->fraction(); }

   private:
    std::unique_ptr<RowReader> inner_;
    std::shared_ptr<Index> parsed_;
  };

  std::shared_ptr<Index> parsed_ = std::make_shared<Index>(0);
  Data::Opener open_;
};

void expect_same(const testing::Table& actual, const testing::Table& expected) {
  expect_rows(actual.rows, expected.rows);
  EXPECT_EQ(actual.texts, expected.texts);
}

constexpr Index kRows = 12345;

TEST(KeptRows, AreParsedTwiceHoweverOftenTheyAreRead) {
  const CountedTable table(kRows);
  const testing::Table expected = read_all(table.plain());
  table.take_parsed();
  for (const std::size_t in_memory : {kKeptInMemory, std::size_t{40000}, std::size_t{0}}) {
    const Data data = table.kept(in_memory);
    for (const Index block_rows : {4096, 1, 700, 100000}) expect_same(read_all(data, block_rows), expected);
    EXPECT_EQ(table.take_parsed(), 2 * kRows);
  }
}

TEST(KeptRows, OnePassKeepsNothing) {
  const CountedTable table(kRows);
  const Data data = table.kept();
  const auto peeked = data.open();  // nothing is read of it
  read_all(data);
  EXPECT_EQ(table.take_parsed(), kRows);
}

TEST(KeptRows, PassesThatEndEarlyAreContinuedByOthers) {
  const CountedTable table(kRows);
  const testing::Table expected = read_all(table.plain());
  table.take_parsed();
  const Data data = table.kept();
  RawBlock block;
  for (int pass = 0; pass < 3; ++pass) ASSERT_TRUE(data.open()->next(block, 10));
  const auto slow = data.open();
  ASSERT_TRUE(slow->next(block, 500));
  EXPECT_LT(table.take_parsed(), 2500);
  expect_same(read_all(data), expected);
  Index rows = 500;
  while (slow->next(block, 4096)) rows += block.rows();
  EXPECT_EQ(rows, kRows);
  EXPECT_LE(table.take_parsed(), kRows);
}

TEST(KeptRows, PlacesAreThoseOfTheTable) {
  const CountedTable table(kRows);
  const Data data = table.kept();
  read_all(data);
  read_all(data);
  const auto reader = data.open();
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 3000));
  ASSERT_TRUE(reader->next(block, 3000));
  const auto plain = table.plain().open();
  RawBlock other;
  for (Index seen = 0; seen <= block.first_row + 7; seen += other.rows()) ASSERT_TRUE(plain->next(other, 4096));
  EXPECT_EQ(reader->place(7, 2), plain->place(block.first_row + 7 - other.first_row, 2));
}

TEST(KeptRows, ManyThreadsReadTheSameRows) {
  const CountedTable table(kRows);
  const testing::Table expected = read_all(table.plain());
  const Data data = table.kept(50000);
  read_all(data);
  table.take_parsed();
  std::vector<testing::Table> tables(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < tables.size(); ++t)
    threads.emplace_back([&, t] { tables[t] = read_all(data, static_cast<Index>(100 + 900 * t)); });
  for (std::thread& thread : threads) thread.join();
  for (const testing::Table& read : tables) expect_same(read, expected);
  EXPECT_EQ(table.take_parsed(), kRows);
}

TEST(KeptRows, ARowThatCannotBeReadFailsInEveryPass) {
  const testing::TemporaryFolder folder;
  std::string text = "a,b\n";
  for (int i = 0; i < 6000; ++i) text += "1,2\n";
  const Data data = read(folder.write("t.csv", text + "1,2,3\n4,5\n"));
  RawBlock block;
  for (int pass = 0; pass < 4; ++pass)
    EXPECT_TRUE(testing::contains(testing::error_of([&] { read_all(data); }).place(), ":6002:")) << pass;
}

TEST(KeptRows, WithoutATemporaryFileTheRowsAreParsedAgain) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  const CountedTable table(kRows);
  const testing::Table expected = read_all(table.plain());
  table.take_parsed();
  // The folders behind $TMPDIR may well take files: then this is as above.
  ::setenv("TMPDIR", "/absent", 1);
  const Data data = table.kept(30000);
  for (int pass = 0; pass < 4; ++pass) expect_same(read_all(data), expected);
  if (before != nullptr)
    ::setenv("TMPDIR", kept.c_str(), 1);
  else
    ::unsetenv("TMPDIR");
}

TEST(PackedBlock, KeepsEveryBit) {
  Matrix block(4, 3000);
  const Random random(6, RandomStream::fit);
  for (Index i = 0; i < 3000; ++i) {
    const auto r = static_cast<std::uint64_t>(i);
    block(0, i) = random.normal(r);
    block(1, i) = i == 2999 ? testing::kMissing : 0;
    block(2, i) = i % 100 == 0 ? -0.0 : 0.0;
    block(3, i) = 0;
  }
  const std::string bytes = pack_block(block);
  EXPECT_LT(bytes.size(), 3000u * 8 + 1000);
  Matrix back(4, 3000);
  for (Index i = 0; i < 12000; ++i) back.data()[i] = 7;
  unpack_block(bytes, back);
  EXPECT_EQ(std::memcmp(block.data(), back.data(), 12000 * sizeof(double)), 0);
}

}  // namespace
}  // namespace weft
