#include <weft/load.hpp>
#include <weft/row_predictor.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <new>
#include <thread>

#include "data/expect_error.hpp"
#include "model/sample_members.hpp"
#include "temporary_folder.hpp"

// Counts what this thread allocates, so that a test can say: nothing.
namespace {
thread_local long allocations = 0;
void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), size == 0 ? 1 : size) != 0) throw std::bad_alloc();
  return memory;
}
}  // namespace
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
// A sanitizer has one of its own, whose memory the delete below would not know.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace weft::testing {
namespace {

constexpr Index kRows = 50;

std::vector<Cell> sample_row(const std::vector<TableColumn>& table, Index row) {
  std::vector<Cell> cells;
  for (std::size_t c = 0; c < 3; ++c) {  // a, b and city
    if (const auto* numbers = std::get_if<std::vector<double>>(&table[c].cells))
      cells.emplace_back((*numbers)[static_cast<std::size_t>(row)]);
    else
      cells.emplace_back(std::get<std::vector<std::string>>(table[c].cells)[static_cast<std::size_t>(row)]);
  }
  return cells;
}

void expect_close(std::span<const double> a, std::span<const double> b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12 * (1 + std::abs(b[k])));
}

std::string write_text(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder.file(name)) << text;
  return folder.file(name);
}

/// Every row by itself as in a table.
void expect_rows_as_in_a_table(const ModelParts& parts, const DecisionOptions& decision = {}) {
  const Model model(parts);
  const RowPredictor predictor(model, decision);
  const auto table = sample_table(kRows);
  const AllPredictions all = predict_all(model, sample_data(kRows, ""), {.decision = decision});
  RowPrediction row;
  for (Index i = 0; i < kRows; ++i) {
    predictor.predict(sample_row(table, i), row);
    const auto part = [&](const std::vector<double>& numbers, std::size_t count) {
      return std::span(numbers).subspan(static_cast<std::size_t>(i) * count, count);
    };
    expect_close(row.scores, part(all.scores, row.scores.size()));
    expect_close(row.values, part(all.values, row.values.size()));
    expect_close(row.probabilities, part(all.probabilities, row.probabilities.size()));
    ASSERT_EQ(all.probabilities.size(), row.probabilities.size() * kRows);
  }
}

class RowPredictorFamily : public ::testing::TestWithParam<const char*> {};
TEST_P(RowPredictorFamily, PredictsAsInATable) {
  expect_rows_as_in_a_table(sample_parts("y,z", sample_family(GetParam())));
}
INSTANTIATE_TEST_SUITE_P(RowPredictor, RowPredictorFamily,
                         ::testing::Values("rw-sign", "rw-relu", "rw-cos", "rw-exp-relu", "rw-stumps",
                                           "rw-relu/sparse:2", "rw-exp-sign/sparse:3", "rks-sign", "rks-cos",
                                           "rks-stumps", "rks-relu/sparse:2", "rff-rbf", "rff-laplace",
                                           "rw-relu/sparse:2+rks-cos+rw-stumps"),
                         [](const auto& drawn) {
                           std::string name = drawn.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(RowPredictor, KernelSectionsPredictAsInATable) {
  for (const char* kernel : {"rbf", "laplace", "laplace-l2", "angular", "implicit:rw-sign"})
    expect_rows_as_in_a_table(kernel_parts("y", kernel));
}

TEST(RowPredictor, RowsAtLandmarksAndExponentsPredictAsInATable) {
  ModelParts parts = kernel_parts("y", "laplace-l2");
  const Matrix x = load_inputs(parts.encoder, sample_data(20, ""));
  for (const Kernel& kernel : {Kernel::laplace_l2(1.5, 0.7), Kernel::laplace(1.5, 1.3), Kernel::laplace_l2(0.3)}) {
    parts.map = FeatureMap::from_sections({kernel, x}, parts.encoder.inputs());
    expect_rows_as_in_a_table(parts);
  }
}

TEST(RowPredictor, ScaledAndStructuredFeaturesPredictAsInATable) {
  ModelParts parts = sample_parts("y", sample_family("rw-cos", 6));
  parts.map = parts.map.subset({0, 1, 2, 3, 4, 5}, {1, 2, 0.5, 3, 1, 4});
  expect_rows_as_in_a_table(parts);
  FamilyOptions structured = sample_family("rks-cos");
  structured.sampling = Sampling::structured;
  expect_rows_as_in_a_table(sample_parts("y", structured));
}

TEST(RowPredictor, MembersPredictAsInATable) {
  for (const char* target : {"y", "kind"}) expect_rows_as_in_a_table(member_parts(target));
}

TEST(RowPredictor, ClassesHaveProbabilitiesAndThresholds) {
  ModelParts parts = sample_parts("yes");
  parts.calibration = {{-2}, {0.1}};
  expect_rows_as_in_a_table(parts);
  expect_rows_as_in_a_table(parts, {.threshold = 0.7});
  parts = sample_parts("kind");
  parts.probabilistic = true;
  expect_rows_as_in_a_table(parts);
  expect_error([&] { RowPredictor(Model(parts), {.threshold = 0.7}); }, ErrorKind::option, {"threshold"});
}

TEST(RowPredictor, CellsAreReadAsThoseOfFiles) {
  const TemporaryFolder folder;
  std::string text = "when,flag,size,kind,y\n";
  for (int i = 0; i < 200; ++i)
    text += fmt::format("202{}-0{}-1{}T0{}:00,{},{},k{},{}\n", i % 5, 1 + i % 9, i % 10, i % 10, i % 2 ? "yes" : "no",
                        i % 7 == 0 ? "" : std::to_string(i * 0.5), i % 70, std::sin(i));
  const std::string path = write_text(folder, "train.csv", text);
  const Encoder encoder = Encoder::fit(read(path, {.target = "y"}), {});
  ASSERT_FALSE(encoder.many_levels().empty());
  ModelParts parts{.encoder = encoder, .map = FeatureMap::draw(sample_family("rw-relu", 30), encoder.inputs())};
  parts.coefficients = made_up_matrix(30, 1, 7);
  parts.intercepts = {1};
  const Model model(parts);
  const RowPredictor predictor(model);
  EXPECT_EQ(predictor.columns(), (std::vector<std::string>{"when", "flag", "size", "kind"}));
  const std::vector<std::vector<Cell>> rows = {{"2021-03-04T05:00", "yes", 3.5, "k7"},
                                               {"2031-12-31", "no", {}, "never seen"},
                                               {{}, {}, 1e300, ""},
                                               {"2020-01-01", "YES", "17.25", "k69"}};
  text =
      "when,flag,size,kind\n2021-03-04T05:00,yes,3.5,k7\n2031-12-31,no,,never "
      "seen\n,,1e300,\n2020-01-01,YES,17.25,k69\n";
  const Matrix all = model.predict(read(write_text(folder, "new.csv", text)));
  RowPrediction row;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    predictor.predict(rows[i], row);
    expect_close(row.values, {all.row(static_cast<Index>(i)), 1});
  }
  predictor.predict(rows[1], row);
  EXPECT_EQ(row.unseen, 1);
  EXPECT_EQ(row.missing, 0) << "training had missing sizes";
  predictor.predict(rows[2], row);
  EXPECT_EQ(row.missing, 3);
}

TEST(RowPredictor, CellsThatCannotBeUsedAreNamed) {
  const RowPredictor predictor{Model(sample_parts("y"))};
  RowPrediction row;
  const auto predict = [&](std::vector<Cell> cells) { predictor.predict(cells, row); };
  expect_error([&] { predict({1, 2}); }, ErrorKind::data, {"2 cells"});
  expect_error([&] { predict({"one", 2, "Bern"}); }, ErrorKind::data, {"one"});
  expect_error([&] { predict({1, HUGE_VAL, "Bern"}); }, ErrorKind::data, {"b"});
  EncodeOptions strict;
  strict.missing = MissingCells::error;
  strict.unseen = UnseenCategories::error;
  const RowPredictor checked{Model(sample_parts("y", sample_family(), strict))};
  const std::vector<Cell> unseen = {1, 2, "Basel"}, missing = {1, {}, "Bern"};
  expect_error([&] { checked.predict(unseen, row); }, ErrorKind::data, {"Basel"});
  expect_error([&] { checked.predict(missing, row); }, ErrorKind::data, {"missing"});
}

TEST(RowPredictor, AllocatesNothingOnceWarm) {
  for (const ModelParts& parts : {sample_parts("kind"), kernel_parts("y", "laplace"), member_parts("kind")}) {
    const RowPredictor predictor{Model(parts)};
    const auto table = sample_table(kRows);
    std::vector<std::vector<Cell>> rows;
    for (Index i = 0; i < kRows; ++i) rows.push_back(sample_row(table, i));
    RowPrediction prediction;
    for (const auto& row : rows) predictor.predict(row, prediction);
    const long before = allocations;
    for (const auto& row : rows) predictor.predict(row, prediction);
    EXPECT_EQ(allocations, before);
  }
}

TEST(RowPredictor, ThreadsShareOne) {
  const RowPredictor predictor{Model(member_parts("y"))};
  const auto table = sample_table(kRows);
  const auto sums = [&] {
    std::vector<double> values;
    RowPrediction prediction;
    for (Index i = 0; i < kRows; ++i) {
      predictor.predict(sample_row(table, i), prediction);
      values.push_back(prediction.values[0]);
    }
    return values;
  };
  const std::vector<double> alone = sums();
  std::vector<std::vector<double>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = sums(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, alone);
}

}  // namespace
}  // namespace weft::testing
