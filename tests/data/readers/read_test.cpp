#include "data/table_testing.hpp"
#include "paths.hpp"

#include <fcntl.h>

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::gzip;
using testing::kMissing;
using testing::read_all;
using testing::Rows;
using testing::Table;
using testing::TemporaryFolder;

// Puts a file in place of standard input while it lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  ~StandardInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

TEST(Read, RecognisesFormatsByNameAndContent) {
  const TemporaryFolder folder;
  const Rows expected = {{1, 2}, {3, 4}};
  const std::string csv = "a,b\n1,2\n3,4\n";
  const std::string tsv = "a\tb\n1\t2\n3\t4\n";
  expect_rows(read_all(read(folder.write("t.csv", csv))).rows, expected);
  expect_rows(read_all(read(folder.write("t.csv.gz", gzip(csv)))).rows, expected);
  expect_rows(read_all(read(folder.write("packed-without-ending", gzip(csv)))).rows, expected);
  expect_rows(read_all(read(folder.write("t.tsv", tsv))).rows, expected);
  expect_rows(read_all(read(folder.write("t.data", "a;b\n1;2\n3;4\n"))).rows, expected);
  const Data svm = read(folder.write("heart", "1 1:2\n3 1:4\n"));
  expect_rows(read_all(svm).rows, {{2, 1}, {4, 3}});
  EXPECT_EQ(svm.options().target, "target");
  expect_rows(read_all(read(folder.write("gz-svm.gz", gzip("1 1:2\n3 1:4\n")))).rows, {{2, 1}, {4, 3}});
  EXPECT_EQ(read(folder.write("multi.svm", "1,2 1:2\n3,4 1:4\n")).options().target, "target0,target1");
}

TEST(Read, TheFormatOptionOverridesRecognition) {
  const TemporaryFolder folder;
  expect_rows(read_all(read(folder.write("t.csv", "1 1:2\n"), {.format = FileFormat::libsvm})).rows, {{2, 1}});
  const Table tabs = read_all(read(folder.write("u.csv", "a,b\tc\n1,\t2\n"), {.format = FileFormat::tsv}));
  EXPECT_EQ(tabs.names, (std::vector<std::string>{"a,b", "c"}));
  EXPECT_EQ(error_of([&] { read(folder.file("t.csv"), {.format = FileFormat::npy}); }).kind(), ErrorKind::data);
}

TEST(Read, ForeignBinaryFilesAreErrors) {
  const TemporaryFolder folder;
  const std::string zip = folder.write("a.npz", "PK\x03\x04rest");
  EXPECT_TRUE(contains(error_of([&] { read(zip); }).message(), "zip"));
  const std::string utf16 = folder.write("a.csv", std::string("a\0,\0b\0\n\0", 8));  // without its mark
  EXPECT_TRUE(contains(error_of([&] { read(utf16); }).hint(), "utf-16"));
}

TEST(Read, OpensAnyNumberOfTimesAndChecksAtOnce) {
  const TemporaryFolder folder;
  const Data data = read(folder.write("t.csv", "a,b\n1,x\n2,y\n"));
  EXPECT_EQ(data.name(), folder.file("t.csv"));
  const auto first = data.open();
  const auto second = data.open();
  expect_rows(read_all(*first).rows, {{1, 0}, {2, 1}});
  expect_rows(read_all(*second, 1).rows, {{1, 0}, {2, 1}});
  EXPECT_DOUBLE_EQ(first->fraction(), 1);
  const Error error = error_of([&] { read(folder.file("absent.csv")); });
  EXPECT_EQ(error.kind(), ErrorKind::file);
  EXPECT_EQ(error.place(), folder.file("absent.csv"));
  EXPECT_EQ(error_of([&] { read(folder.file("")); }).kind(), ErrorKind::file);
}

TEST(Read, StandardInputCanBeReadOnce) {
  const TemporaryFolder folder;
  for (const std::string& bytes : {std::string("a,b\n1,2\n"), gzip("a,b\n1,2\n")}) {
    const StandardInput input(folder.write("in", bytes));
    const Data data = read("-");
    expect_rows(read_all(data).rows, {{1, 2}});
    const Error error = error_of([&] { data.open(); });
    EXPECT_EQ(error.kind(), ErrorKind::file);
    EXPECT_TRUE(contains(error.hint(), "save it to a file"));
  }
  const StandardInput input(folder.write("in", "1 1:2\n"));
  const Error error = error_of([] { read("-"); });
  EXPECT_EQ(error.place(), "standard input");
  EXPECT_TRUE(contains(error.hint(), "save it to a file"));
}

TEST(Read, PlacesOnStandardInputSaySo) {
  const TemporaryFolder folder;
  const StandardInput input(folder.write("in", "a,b\n1,inf\n"));
  const Data data = read("-");
  EXPECT_EQ(error_of([&] { read_all(data); }).place(), "standard input:2:2");
}

TEST(Read, PositionsOfTargetsCountTheColumnsOfTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "id,a,b,\"c,d\"\n1,2,3,4\n");
  EXPECT_EQ(read(path, {.target = "2", .drop = "id"}).options().target, "b");
  EXPECT_EQ(read(path, {.target = "-1,1", .drop = "id"}).options().target, "2,a")
      << "a name with a comma stays a position";
  EXPECT_EQ(read(path, {.drop = "id", .weights = "1"}).options().weights, "a");
  EXPECT_EQ(read(path, {.target = "absent"}).options().target, "absent") << "whoever needs it says so";
  EXPECT_EQ(read(path).options().target, "");
  EXPECT_EQ(error_of([&] { read(path, {.target = "a", .drop = "1"}); }).field(), "target");
}

TEST(Read, DropAndCategoricalApplyToNumericFormats) {
  const TemporaryFolder folder;
  const Data data = read(folder.write("t.svm", "1 1:5 2:0.5 3:7\n-1 1:6 2:1.5\n1 1:5 2:nan\n"),
                         {.drop = "x3", .categorical = "x1,1"});
  const Table table = read_all(data, 2);
  EXPECT_EQ(table.names, (std::vector<std::string>{"x1", "x2", "target"}));
  expect_rows(table.rows, {{0, 0, 1}, {1, 1, -1}, {0, kMissing, 1}});
  EXPECT_EQ(table.texts[1][1], "1.5");
  EXPECT_EQ(table.texts[0][0], "5");
}

TEST(Read, BuiltinPaths) {
  const Data data = read("builtin:moons:rows=37, seed=5,noise=0.25");
  EXPECT_EQ(data.options().target, "target");
  EXPECT_EQ(read_all(data).rows.size(), 37u);
  EXPECT_EQ(read_all(read("builtin:moons", {.target = "0"})).rows.size(), 1000u);
  const auto expect_error = [](const std::string& path, const std::string& part) {
    const Error error = error_of([&] { read(path); });
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_TRUE(contains(error.what(), part)) << error.what();
    EXPECT_FALSE(error.hint().empty());
  };
  expect_error("builtin:", "no name");
  expect_error("builtin:moon", "moons");
  expect_error("builtin:moons:rows", "'rows' is not key=value");
  expect_error("builtin:moons:row=5", "rows, seed, noise");
  expect_error("builtin:moons:rows=many", "'many' is not a valid value for rows");
  expect_error("builtin:moons:rows=2.5", "'2.5'");
  expect_error("builtin:moons:rows=0", "at least 1");
  expect_error("builtin:moons:noise=-1", "at least 0");
  expect_error("builtin:moons:noise=nan", "'nan'");
}

Index count_rows(const Data& data, double& pixel_sum, Index pixels) {
  const auto reader = data.open();
  RawBlock block;
  Index rows = 0;
  while (reader->next(block, 4096)) {
    rows += block.rows();
    for (Index i = 0; i < block.rows(); ++i)
      for (Index j = 0; j < pixels; ++j) pixel_sum += block.columns(j, i);
  }
  return rows;
}

TEST(Read, SharedDataHaveTheirPublishedShapes) {
  const std::string folder = testing::shared_data();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the shared data sets are not here";
  double unused = 0;
  const Data adult = read(folder + "/adult.train.csv.gz");
  EXPECT_EQ(count_rows(adult, unused, 0), 32561);
  const auto columns = adult.open()->columns();
  EXPECT_EQ(columns.size(), 15u);
  EXPECT_EQ(std::count_if(columns.begin(), columns.end(), [](const Column& c) { return c.text; }), 9);
  EXPECT_EQ(count_rows(read(folder + "/skin.csv.gz"), unused, 0), 245057);
  double sum = 0;
  const Data mnist = read(folder + "/mnist_train-images-idx3-ubyte.gz");
  EXPECT_EQ(mnist.options().target, "target");
  EXPECT_EQ(count_rows(mnist, sum, 784), 60000);
  EXPECT_NEAR(sum / 255 / 60000 / 784, 0.13066, 5e-6);
}

}  // namespace
}  // namespace weft
