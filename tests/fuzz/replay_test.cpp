// Every target on its seeds, on the inputs that once broke it (regressions/TARGET/*), and on mutations of both.
#include "fuzz/fuzz_target.hpp"
#include "fuzz/mutate.hpp"
#include "paths.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/resource.h>

namespace weft::fuzz {

namespace {

std::vector<std::string> regressions(const std::string& target) {
  std::vector<std::string> inputs;
  const std::filesystem::path folder = testing::tests_folder() + "/fuzz/regressions/" + target;
  if (!std::filesystem::is_directory(folder)) return inputs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

double peak_memory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

std::string hexadecimal(const std::string& input) {
  std::string text;
  for (const char c : input) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(c) / 16];
    text += kDigits[static_cast<unsigned char>(c) % 16];
  }
  return text;
}

class Fuzz : public ::testing::TestWithParam<Target> {
 protected:
  /// Whether it was taken.
  static bool run(const std::string& input) {
    try {
      return run_one(GetParam(), input);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\nof the input " << hexadecimal(input);
      return false;
    }
  }
};

TEST_P(Fuzz, TakesItsSeeds) {
  for (const std::string& seed : GetParam().seeds()) {
    EXPECT_TRUE(run(seed)) << seed.substr(0, 200);
    EXPECT_LE(seed.size(), GetParam().longest);
  }
}

TEST_P(Fuzz, HoldsOnMutationsOfSeedsAndRegressions) {
  std::vector<std::string> inputs = GetParam().seeds();
  for (const std::string& input : regressions(GetParam().name)) {
    run(input);
    inputs.push_back(input);
  }
  int taken = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    for (int number = 0; number < GetParam().replays && !HasFailure(); ++number) {
      std::string input =
          mutated(inputs[k], inputs, 1000000 * k + static_cast<std::uint64_t>(number), GetParam().longest);
      if (GetParam().repair) GetParam().repair(input);
      taken += run(input) ? 1 : 0;
    }
  // Mutations that are all refused at the first byte would test nothing.
  EXPECT_GT(taken, 0);
  EXPECT_LT(peak_memory(), 1e9);
  RecordProperty("taken", taken);
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, ::testing::ValuesIn(all_targets()), [](const auto& row) {
  std::string name = row.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace

}  // namespace weft::fuzz
