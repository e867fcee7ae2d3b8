#include "data/readers/libsvm_reader.hpp"

#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::kMissing;
using testing::read_all;
using testing::Table;
using Names = std::vector<std::string>;

Table parse_libsvm(const std::string& text, std::size_t chunk = kChunkSize, Index block = 4096) {
  const LibsvmShape shape = scan_libsvm(memory_bytes(text), "t.svm", chunk);
  return read_all(*read_libsvm(memory_bytes(text), "t.svm", shape, chunk), block);
}

TEST(LibsvmReader, DeliversDenseRowsWithTheTargetLast) {
  const std::string text = "# head\n+1 1:0.5 3:-2 # note 9:9\r\n\n-1 qid:7 2:1e3\n0.5\n2 4:nan";
  const Table table = parse_libsvm(text);
  EXPECT_EQ(table.names, (Names{"x1", "x2", "x3", "x4", "target"}));
  const testing::Rows expected = {{0.5, 0, -2, 0, 1}, {0, 1000, 0, 0, -1}, {0, 0, 0, 0, 0.5}, {0, 0, 0, kMissing, 2}};
  expect_rows(table.rows, expected);
  for (const Index block : {1, 7, 4096})
    for (const std::size_t chunk : {1, 5, 64}) expect_rows(parse_libsvm(text, chunk, block).rows, expected);
}

TEST(LibsvmReader, AZeroIndexMeansCountingFromZero) {
  const Table table = parse_libsvm("1 1:5\n2 0:7 2:8\n");
  EXPECT_EQ(table.names, (Names{"x0", "x1", "x2", "target"}));
  expect_rows(table.rows, {{0, 5, 0, 1}, {7, 0, 8, 2}});
}

TEST(LibsvmReader, SeveralLabelsAreSeveralTargets) {
  const Table table = parse_libsvm("1,0.5 1:5\n2,-1 1:6\n");
  EXPECT_EQ(table.names, (Names{"x1", "target0", "target1"}));
  expect_rows(table.rows, {{5, 1, 0.5}, {6, 2, -1}});
}

TEST(LibsvmReader, MistakesHavePlaces) {
  const auto expect_error = [](const std::string& text, const std::string& place, const std::string& message) {
    const Error error = error_of([&] { parse_libsvm(text); });
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place(), place) << error.what();
    EXPECT_TRUE(contains(error.message(), message)) << error.what();
    EXPECT_FALSE(error.hint().empty());
  };
  expect_error("", "t.svm:1:1", "empty");
  expect_error("1 1:2\n1 1:abc\n", "t.svm:2:3", "'abc' is not a number");
  expect_error("1 1:2\n1 1:\n", "t.svm:2:3", "is not a number");
  expect_error("1 1:2\n1 1:inf\n", "t.svm:2:3", "not finite");
  expect_error("1 1:2\nyes 1:2\n", "t.svm:2:1", "'yes' is not a number");
  expect_error("1 1:2\n1:2 2:3\n", "t.svm:2:1", "no label");
  expect_error("1 1:2\n1 2:2 1:3\n", "t.svm:2:3", "index 2 is out of order");
  expect_error("1 1:2\n1 1:2 5:1 3:1\n", "t.svm:2:7", "index 5 is out of order");
  expect_error("1 9:2\n1 3:2 0:3\n", "t.svm:2:7", "index 0 is out of order");
  expect_error("1 1:2\n1 2:2 2:3\n", "t.svm:2:7", "index 2 is out of order");
  expect_error("1 1:2\n1 -2:2\n", "t.svm:2:3", "'-2:2' is not index:value");
  expect_error("1 1:2\n1 7 3:1\n", "t.svm:2:3", "'7' is not index:value");
  expect_error("1 1:2\n1,2 1:2\n", "t.svm:2:1", "2 labels where the first has 1");
  expect_error("1 1:2\n1 4000000000:2\n", "t.svm:2:1", "4000000000");
}

TEST(LibsvmReader, PlaceNamesLineAndColumn) {
  const auto reader = read_libsvm(memory_bytes("1 1:1\n\n2 2:nan\n"), "t.svm", {.inputs = 2});
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_EQ(reader->place(1, 1), "t.svm:3: column x2");
}

}  // namespace
}  // namespace weft
