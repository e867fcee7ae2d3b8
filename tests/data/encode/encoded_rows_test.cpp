// New files are encoded as in training, whatever types their own cells suggest.
#include <weft/encoder.hpp>

#include "data/encode_all.hpp"
#include "data/expect_error.hpp"
#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::encode;
using testing::expect_error;
using testing::Numbers;
using testing::row;
using testing::TemporaryFolder;

constexpr const char* kMarkers[] = {"NA", "?", "null", "nan", "N/A"};

TEST(EncoderStream, CategoriesThatLookMissingOrNumericStayCategories) {
  const TemporaryFolder folder;
  std::string training = "t,n\nred,1\n7,2\n";
  std::string all = "t,n\n";
  for (const char* marker : kMarkers) training += std::string(marker) + ",3\n";
  const Encoder encoder =
      Encoder::fit(read(folder.write("train.csv", training)), {.scale = Scaling::none, .bias = false});
  const Matrix known = encode(encoder, read(folder.file("train.csv"))).x;
  for (Index i = 0; i < known.cols(); ++i) {
    const std::string category = i == 0 ? "red" : i == 1 ? "7" : kMarkers[i - 2];
    const std::string line = category + "," + std::to_string(static_cast<int>(known(known.rows() - 1, i))) + "\n";
    const Matrix alone = encode(encoder, read(folder.write("one.csv", "t,n\n" + line), {.header = HeaderLine::yes})).x;
    ASSERT_EQ(alone.cols(), 1);
    for (Index c = 0; c < known.rows(); ++c) EXPECT_EQ(alone(c, 0), known(c, i)) << category;
    if (i > 0) all += line;
  }
  const Data kept =
      select_rows(read(folder.write("all.csv", all), {.header = HeaderLine::yes}), [](Index) { return true; });
  const Matrix together = encode(encoder, kept).x;
  for (Index i = 1; i < known.cols(); ++i)
    for (Index c = 0; c < known.rows(); ++c) EXPECT_EQ(together(c, i - 1), known(c, i)) << i;
}

TEST(EncoderStream, ClassesThatLookMissingStayClasses) {
  const TemporaryFolder folder;
  const ReadOptions options{.target = "y"};
  const Encoder encoder = Encoder::fit(read(folder.write("train.csv", "x,y\n1,NA\n2,yes\n3,NA\n"), options), {});
  const Data test = read(folder.write("test.csv", "x,y\n1,NA\n2,NA\n"), options);
  EXPECT_EQ(encode(encoder, test, true).y, (Numbers{0, 0}));
}

TEST(EncoderStream, LibsvmColumnsThatAreNotThereAreZeros) {
  const TemporaryFolder folder;
  const Data training = read(folder.write("train.svm", "1 1:2 3:5\n2 2:1 4:0.5\n3 1:1 4:7\n"));
  const Encoder encoder = Encoder::fit(training, {.scale = Scaling::standard});
  const std::string shorter = folder.write("new.svm", "1 1:2\n2 2:1\n");
  const Data padded = read(folder.write("padded.svm", "1 1:2 4:0\n2 2:1 3:0\n"));
  EXPECT_TRUE(testing::same(encode(encoder, read(shorter)), encode(encoder, padded)));
  const Data some = select_rows(read(shorter), [](Index i) { return i == 1; });
  EXPECT_EQ(encode(encoder, some).x(3, 0), encode(encoder, padded).x(3, 1));
  // A column that was dropped, or that a LIBSVM file cannot have, is still missing.
  expect_error([&] { encode(encoder, read(shorter, {.drop = "x2"})); }, ErrorKind::data, {"no column 'x2'"});
  const Encoder named = Encoder::fit(read(folder.write("t.csv", "age\n1\n2\n")), {});
  expect_error([&] { encode(named, read(shorter)); }, ErrorKind::data, {"no column 'age'"});
}

TEST(EncoderStream, AbsentCategoriesAreTheCategoryZero) {
  const TemporaryFolder folder;
  const std::string shorter = folder.write("new.svm", "1 1:2\n");
  const auto fitted = [&](const std::string& text) {
    return Encoder::fit(read(folder.write("train.svm", text), {.categorical = "x2"}),
                        {.scale = Scaling::none, .unseen = UnseenCategories::error, .bias = false});
  };
  const Matrix x = encode(fitted("1 1:2\n2 2:4\n"), read(shorter)).x;
  EXPECT_EQ(row(x, 1), Numbers{1});
  EXPECT_EQ(row(x, 2), Numbers{0});
  const Encoder without_zero = fitted("1 1:2 2:3\n2 2:4\n");
  expect_error([&] { encode(without_zero, read(shorter)); }, ErrorKind::data, {"'0'", "'x2'", "unseen ignore"});
}

}  // namespace
}  // namespace weft
