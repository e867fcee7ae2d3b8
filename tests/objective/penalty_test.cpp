#include "objective/penalty.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

std::string auto_kind(const std::string& family) {
  const FeatureMap map = FeatureMap::draw({.family = family, .features = 6}, Inputs::plain(4, true));
  return make_penalty(map, "auto", {}).kind;
}

TEST(Penalty, AutoTakesTheRkhsNormForOneFamilyWithWeightsOnly) {
  EXPECT_EQ(auto_kind("rw-relu"), "rkhs");
  EXPECT_EQ(auto_kind("rw-sign/sparse:2"), "rkhs");
  EXPECT_EQ(auto_kind("rks-relu"), "ridge");
  EXPECT_EQ(auto_kind("rw-stumps:2+rw-relu:4"), "ridge");
}

}  // namespace
}  // namespace weft
