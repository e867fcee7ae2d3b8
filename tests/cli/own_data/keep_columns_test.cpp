// predict --keep and --rows: whose prediction a row is.
#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class KeepColumns : public WeftTest {
 protected:
  static constexpr int kRows = 12000;  // more than two blocks of predictions, and more names than a category may have

  KeepColumns() {
    std::string rows = "id,a,name,b,y,kind\n";
    for (int i = 0; i < kRows; ++i) rows += row(i) + "\n";
    write("rows.csv", rows);
    weft_out({"train", "rows.csv", "--target", "y", "--drop", "id,name,kind", "--features", "10", "--model", "m.weft"});
    weft_out({"train", "rows.csv", "--target", "kind", "--drop", "id,name,y", "--features", "10", "--model", "k.weft"});
  }
  static std::string id(int i) { return "00" + std::to_string(i); }
  static std::string name(int i) { return i % 9 == 0 ? "" : "\"Doe, " + std::to_string(i) + "\""; }
  static std::string row(int i) {
    return id(i) + "," + std::to_string(i % 17) + ".50," + name(i) + "," + std::to_string(i % 5) + "," +
           std::to_string((i * 7) % 17) + (i % 2 == 0 ? ",even" : ",odd");
  }
  static Words lines(const std::string& text) {
    Words all;
    std::istringstream from(text);
    for (std::string line; std::getline(from, line);) all.push_back(line);
    return all;
  }
};

TEST_F(KeepColumns, CellsComeAsTheyAreWritten) {
  const Words plain = lines(weft_out({"predict", "m.weft", "rows.csv"}));
  const Words kept = lines(weft_out({"predict", "m.weft", "rows.csv", "--rows", "--keep", "name,id,a"}));
  ASSERT_EQ(kept.size(), static_cast<std::size_t>(kRows) + 1);
  EXPECT_EQ(kept[0], "row,name,id,a,y");
  for (int i = 0; i < kRows; ++i) {
    const auto k = static_cast<std::size_t>(i) + 1;
    ASSERT_EQ(kept[k],
              std::to_string(k) + "," + name(i) + "," + id(i) + "," + std::to_string(i % 17) + ".50," + plain[k]);
  }
  EXPECT_EQ(lines(weft_out({"predict", "m.weft", "-", "--rows", "--keep", "name,id,a"}, path("rows.csv"))), kept);
  EXPECT_EQ(lines(weft_out({"predict", "m.weft", "rows.csv", "--rows", "--keep", "2,0,1"})), kept);
}

TEST_F(KeepColumns, ClassesToo) {
  const Words plain = lines(weft_out({"predict", "k.weft", "rows.csv"}));
  const Words kept = lines(weft_out({"predict", "k.weft", "rows.csv", "--keep", "id,kind"}));
  EXPECT_EQ(kept[0], "id,kind,predicted_kind");
  for (std::size_t k = 1; k < plain.size(); ++k)
    ASSERT_EQ(kept[k], id(static_cast<int>(k) - 1) + (k % 2 == 1 ? ",even," : ",odd,") + plain[k]);
  EXPECT_EQ(lines(weft_out({"predict", "k.weft", "rows.csv", "--rows"}))[3], "3," + plain[3]);
}

TEST_F(KeepColumns, NumbersOfBinaryTables) {
  weft_out({"generate", "friedman1", "--rows", "50", "--out", "f.npy"});
  weft_out({"train", "f.npy", "--target", "10", "--features", "5", "--model", "f.weft"});
  const auto table = npy_numbers(text("f.npy"));
  const auto kept = csv_numbers(weft_out({"predict", "f.weft", "f.npy", "--keep", "x3,10"}));
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(kept[i][0], table[i][3]);
    EXPECT_EQ(kept[i][1], table[i][10]);
  }
  weft_out({"predict", "f.weft", "f.npy", "--rows", "--out", "p.npy"});
  EXPECT_EQ(npy_numbers(text("p.npy"))[49][0], 50);
}

TEST_F(KeepColumns, Mistakes) {
  expect_refused({"predict", "m.weft", "rows.csv", "--keep", "nobody"}, {"--keep", "'nobody'", "name"});
  expect_refused({"predict", "m.weft", "rows.csv", "--keep", "id", "--drop", "id"}, {"--keep", "'id'"});
  expect_refused({"predict", "m.weft", "rows.csv", "--keep", "2", "--drop", "id"}, {"--keep", "--drop"});
  expect_refused({"predict", "m.weft", "rows.csv", "--keep", "id", "--out", "p.npy"}, {"--out:", "numbers only"});
}

}  // namespace

}  // namespace weft::testing
