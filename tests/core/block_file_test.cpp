#include "core/block_file.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace weft {

using namespace detail;
namespace {

// Larger than what one thread reads at a time, and no multiple of it.
constexpr Index kMany = 1'300'003;

double number_at(Index k) {
  return std::sin(static_cast<double>(k));
}

class BlockFile : public ::testing::Test {
 protected:
  void SetUp() override {
    numbers_ = Matrix(kMany, 1);
    for (Index k = 0; k < kMany; ++k) numbers_(k, 0) = number_at(k);
    places_.resize(static_cast<std::size_t>(kMany));
    for (std::size_t k = 0; k < places_.size(); ++k) places_[k] = 3 * static_cast<Index>(k);
    halves_ = Matrix(1000, 7);
    for (Index k = 0; k < 7000; ++k) halves_.data()[k] = 0.5 * static_cast<double>(k);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void write() const {
    BlockFileWriter file;
    file.add("numbers", numbers_);
    file.add("places", std::vector<Index>{-1, std::numeric_limits<Index>::max()});
    file.add_packed("halves", halves_);
    file.add_packed("short places", places_);
    file.write(path_, {{"greeting", "hello"}}, 3);
  }

  void expect_all(const BlockFileReader& file) const {
    EXPECT_EQ(file.header().at("greeting"), "hello");
    const Matrix numbers = file.matrix("numbers");
    ASSERT_EQ(numbers.rows(), kMany);
    EXPECT_EQ(std::memcmp(numbers.data(), numbers_.data(), sizeof(double) * static_cast<std::size_t>(kMany)), 0);
    EXPECT_EQ(file.indices("places"), (std::vector<Index>{-1, std::numeric_limits<Index>::max()}));
    EXPECT_EQ(file.indices("short places"), places_);
    const StoredMatrix stored = file.stored_matrix("halves");
    const auto& halves = std::get<BasicMatrix<float>>(stored);
    ASSERT_EQ(halves.rows(), 1000);
    ASSERT_EQ(halves.cols(), 7);
    for (Index k = 0; k < 7000; ++k) ASSERT_EQ(halves.data()[k], 0.5F * static_cast<float>(k));
    EXPECT_EQ(file.matrix("nothing").rows(), 0);
    EXPECT_TRUE(file.numbers("nothing").empty());
  }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string path_ =
      (std::filesystem::temp_directory_path() /
       (std::string("weft-block-file-") + ::testing::UnitTest::GetInstance()->current_test_info()->name()))
          .string();
  Matrix numbers_, halves_;
  std::vector<Index> places_;
};

TEST_F(BlockFile, EveryTypeComesBackFromAFileAndFromBytes) {
  write();
  expect_all(BlockFileReader(path_));
  expect_all(BlockFileReader("bytes", bytes()));
}

TEST_F(BlockFile, OfALargeFileTheHeaderIsParsedBesideOtherWork) {
  write();
  int calls = 0;
  expect_all(BlockFileReader(path_, {"model"}, [&] { ++calls; }));
  EXPECT_EQ(calls, 1);
  BlockFileWriter small;
  small.add_packed("halves", halves_);
  small.write(path_, {{"greeting", "hello"}}, 3);
  EXPECT_EQ(BlockFileReader(path_, {"model"}, [&] { ++calls; }).matrix("halves").rows(), 1000);
  EXPECT_EQ(calls, 1);
}

TEST_F(BlockFile, IndicesComeAsTheyAreStored) {
  write();
  const BlockFileReader file(path_);
  const StoredIndices few = file.stored_indices("short places"), many = file.stored_indices("places");
  const auto& shortened = std::get<BasicMatrix<std::int32_t>>(few);
  ASSERT_EQ(shortened.rows() * shortened.cols(), kMany);
  for (Index k = 0; k < kMany; ++k) ASSERT_EQ(shortened.data()[k], 3 * k);
  EXPECT_EQ(std::get<std::vector<Index>>(many), (std::vector<Index>{-1, std::numeric_limits<Index>::max()}));
  EXPECT_TRUE(std::get<std::vector<Index>>(file.stored_indices("nothing")).empty());
}

// Large files are summed in pieces by several threads: one bit in each of them, and at their borders.
TEST_F(BlockFile, NoBitOfALargeFileIsOverlooked) {
  write();
  std::string file = bytes();
  const std::size_t piece = std::size_t{1} << 22;
  std::vector<std::size_t> places = {0, 20, 70, file.size() - 9, file.size() - 1};
  for (std::size_t k = 1; k * piece < file.size(); ++k)
    places.insert(places.end(), {k * piece - 1, k * piece, k * piece + 300, k * piece + 12345});
  for (std::size_t k = 1; k < 30; ++k) places.push_back(k * 500'009 % file.size());
  for (const std::size_t place : places) {
    file[place] = static_cast<char>(file[place] ^ (1 << (place % 8)));
    EXPECT_THROW(BlockFileReader("bytes", file), Error) << place;
    file[place] = static_cast<char>(file[place] ^ (1 << (place % 8)));
  }
  EXPECT_NO_THROW(BlockFileReader("bytes", file));
}

TEST_F(BlockFile, NumbersThatAreNotFiniteAreFoundWhereverTheyAre) {
  for (const Index place : {Index{0}, Index{5}, Index{32767}, Index{32768}, Index{524'290}, kMany - 1})
    for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      numbers_(place, 0) = bad;
      write();
      BlockFileReader file(path_);
      file.refuse_non_finite();
      EXPECT_THROW(file.matrix("numbers"), Error) << place;
      EXPECT_NO_THROW(file.matrix("halves"));
      EXPECT_TRUE(std::memcmp(BlockFileReader(path_).matrix("numbers").row(place), &bad, sizeof bad) == 0);
      numbers_(place, 0) = number_at(place);
    }
  numbers_(0, 0) = std::numeric_limits<double>::max();
  numbers_(1, 0) = -std::numeric_limits<double>::denorm_min();
  write();
  BlockFileReader file(path_);
  file.refuse_non_finite();
  EXPECT_EQ(file.matrix("numbers")(0, 0), std::numeric_limits<double>::max());
}

// Nothing is mapped: what was read stays what it was.
TEST_F(BlockFile, AFileThatIsWrittenOverOrCutOffChangesNothingThatWasRead) {
  write();
  const BlockFileReader file(path_);
  std::ofstream(path_, std::ios::binary | std::ios::in) << std::string(1'000'000, 'x');
  std::filesystem::resize_file(path_, 10);
  expect_all(file);
}

}  // namespace
}  // namespace weft
