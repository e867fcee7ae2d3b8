// Properties on random cases. A case is a function of its seed and its size, which bounds what it draws. Where one
// fails, the same seed is tried with smaller sizes, and what the smallest that fails says is what the test says, with
// its number.
//
//   WEFT_PROPERTY_CASES=100     so many times the cases
//   WEFT_PROPERTY_SEED=7        other cases
//   WEFT_PROPERTY_CASE=41/3     seed 41 at size 3 alone
#pragma once

#include "core/random.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace weft::test {

using namespace detail;

struct CaseNumber {
  std::uint64_t seed = 0;
  Index size = 0;
};

class Draw {
 public:
  static constexpr Index kLargest = 12;

  explicit Draw(CaseNumber number) : random_(number.seed, RandomStream::generator), size_(number.size) {}

  double uniform() { return random_.uniform(next_++); }
  double normal() { return random_.normal(next_++); }
  Index below(Index bound) { return random_.below(bound, next_++); }
  bool flip() { return below(2) == 1; }
  std::uint64_t seed() { return random_.bits(next_++) % 1000000; }
  /// From `least` up to what the size of the case allows of `most`.
  Index count(Index least, Index most) { return least + below(1 + (most - least) * size_ / kLargest); }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  double power_of_ten(double least, double most) { return std::pow(10, between(least, most)); }
  double power_of_two(Index least, Index most) {
    return std::ldexp(1.0, static_cast<int>(least + below(most - least + 1)));
  }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<Index>(all.size()))];
  }
  std::vector<Index> permutation(Index count) { return Random(seed(), RandomStream::subsets).permutation(count); }

 private:
  Random random_;
  Index size_;
  std::uint64_t next_ = 0;
};

template <class Property>
void check_case(const Property& property, CaseNumber number) {
  try {
    Draw draw(number);
    property(draw);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "it throws: " << error.what();
  }
}

template <class Property>
bool case_holds(const Property& property, CaseNumber number) {
  ::testing::TestPartResultArray results;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    check_case(property, number);
  }
  for (int i = 0; i < results.size(); ++i)
    if (results.GetTestPartResult(i).failed()) return false;
  return true;
}

template <class Property>
void report_case(const Property& property, CaseNumber number) {
  std::ostringstream text;
  text << "to see this case alone: WEFT_PROPERTY_CASE=" << number.seed << '/' << number.size;
  const ::testing::ScopedTrace trace(__FILE__, __LINE__, text.str());
  check_case(property, number);
}

/// Checks property(Draw&) on `cases` cases; it uses EXPECT_… and ASSERT_….
template <class Property>
void for_all(int cases, const Property& property) {
  const auto number_of = [](const char* name, unsigned long long otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  if (const char* one = std::getenv("WEFT_PROPERTY_CASE")) {
    const char* size = std::strchr(one, '/');
    ASSERT_NE(size, nullptr) << "WEFT_PROPERTY_CASE is SEED/SIZE";
    return report_case(property, {std::strtoull(one, nullptr, 10), std::strtoll(size + 1, nullptr, 10)});
  }
  const auto count = static_cast<std::uint64_t>(cases) * number_of("WEFT_PROPERTY_CASES", 1);
  const std::uint64_t first = 1000003 * number_of("WEFT_PROPERTY_SEED", 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const CaseNumber drawn{first + i, 1 + static_cast<Index>(i % Draw::kLargest)};
    if (case_holds(property, drawn)) continue;
    for (Index size = 0; size <= drawn.size; ++size)
      if (!case_holds(property, {drawn.seed, size})) return report_case(property, {drawn.seed, size});
    FAIL() << "a case failed once and not again: " << drawn.seed << '/' << drawn.size;
  }
}

}  // namespace weft::test
