#include "core/memory.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace weft {

using namespace detail;

namespace {

constexpr double kMiB = 1024 * 1024;

Run limited(double bytes) {
  Run run;
  run.max_memory = bytes;
  return run;
}

TEST(MemoryPlan, AddsUpWhatMustBeHeld) {
  MemoryPlan plan(limited(100 * kMiB));
  plan.hold("matrices", 5 * kMiB).hold("rows", kMiB);  // doubles
  EXPECT_EQ(plan.bytes(), 48 * kMiB);
  EXPECT_EQ(plan.left(), 52 * kMiB);
  EXPECT_TRUE(plan.fits());
  EXPECT_NO_THROW(plan.check("things", "‹features›", "fewer"));
}

TEST(MemoryPlan, WhatNeedNotBeHeldTakesAQuarterOrWhatIsLeft) {
  EXPECT_EQ(MemoryPlan(limited(100 * kMiB)).spare(), 25 * kMiB);
  EXPECT_EQ(MemoryPlan(limited(100 * kMiB)).hold("matrices", 10 * kMiB).spare(), 20 * kMiB);
  EXPECT_EQ(MemoryPlan(limited(100 * kMiB)).hold("matrices", 20 * kMiB).spare(), 0);
  EXPECT_EQ(MemoryPlan(limited(8192 * kMiB)).spare_for_rows(), 2048 * kMiB);
  // Nobody said how much: a GiB, or an eighth of a large machine.
  EXPECT_LE(MemoryPlan(weft::Run{}).spare_for_rows(), std::max(1024 * kMiB, memory_limit({}) / 8));
}

TEST(MemoryPlan, OneSentenceForWhatDoesNotFit) {
  MemoryPlan plan(limited(10 * kMiB));
  plan.hold("centres", kMiB).hold("square matrices", 4 * kMiB);
  EXPECT_FALSE(plan.fits());
  try {
    plan.check("2000 features", "‹features›", "at most 500 fit");
    FAIL() << "40 MiB fit into 10";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_EQ(error.message(), "2000 features need 40 MiB (most of it square matrices), ‹max_memory› has 10 MiB");
    EXPECT_EQ(error.field(), "features");
    EXPECT_EQ(error.hint(), "at most 500 fit");
  }
}

TEST(MemoryPlan, FindsTheLargestCountThatFits) {
  EXPECT_EQ(largest_that_fits(1000, 1, [](Index count) { return count <= 437; }), 437);
  EXPECT_EQ(largest_that_fits(1000, 100, [](Index count) { return count <= 437; }), 400);
  EXPECT_EQ(largest_that_fits(1000, 1, [](Index) { return true; }), 1000);
  EXPECT_EQ(largest_that_fits(1000, 1, [](Index) { return false; }), 0);
}

}  // namespace
}  // namespace weft
