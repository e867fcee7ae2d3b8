// How the target was read is one line.
#include "cli/own_data/messy_table.hpp"

namespace weft::testing {

namespace {

class OwnTargetKind : public OwnData {
 protected:
  /// Rows x, value(i).
  template <class Value>
  void write_target(int rows, const Value& value) const {
    std::string text = "x,kind\n";
    for (int i = 0; i < rows; ++i) text += std::to_string(i % 83) + "," + value(i) + "\n";
    write("t.csv", text);
  }
};

TEST_F(OwnTargetKind, IsSaid) {
  write("t.csv", MessyTable{}.text());
  expect_words(train({}).out, {"target price: regression\n"});
  write_target(600, [](int i) { return std::to_string(1 + i % 26); });
  expect_words(train({}, "kind").out, {"target kind: 26 classes, codes 1 … 26\n"});
  expect_words(train({"--json"}, "kind").out, {"\"target\": \"target kind: 26 classes, codes 1 … 26\""});
  write_target(60, [](int i) { return i % 3 == 0 ? "no" : "yes"; });
  expect_words(train({}, "kind").out, {"target kind: 2 classes, no, yes\n"});
}

TEST_F(OwnTargetKind, ANumericHeaderIsHintedAt) {
  write("t.csv", "2019,2020\n1,2\n2,4\n3,7\n");
  refused({}, {"t.csv:", "--target: there is no column '2020'", "--header yes"}, "2020");
  expect_words(train({"--header", "yes"}, "2020").out, {"target 2020: regression"});
}

TEST_F(OwnTargetKind, ValuesThatHardlyRepeatAreNoClasses) {
  write_target(60, [](int i) { return "name" + std::to_string(i); });
  refused({}, {"target 'kind' has 60 different values in 60 rows", "--target"}, "kind");
  write_target(60, [](int i) { return std::to_string(i % 40); });
  refused({"--task", "classification"}, {"40 different values in 60 rows", "--task regression"}, "kind");
  expect_words(train({}, "kind").out, {"target kind: regression"});
}

}  // namespace

}  // namespace weft::testing
