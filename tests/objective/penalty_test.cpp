#include "objective/penalty.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

Regularizer auto_kind(const std::string& family) {
  const FeatureMap map = FeatureMap::draw({.family = family, .features = 6}, Inputs::plain(4, true));
  return make_penalty(map, Regularizer::automatic, {}).kind;
}

TEST(Penalty, AutoTakesTheRkhsNormForOneFamilyWithWeightsOnly) {
  EXPECT_EQ(auto_kind("rw-relu"), Regularizer::rkhs);
  EXPECT_EQ(auto_kind("rw-sign/sparse:2"), Regularizer::rkhs);
  EXPECT_EQ(auto_kind("rks-relu"), Regularizer::ridge);
  EXPECT_EQ(auto_kind("rw-stumps:2+rw-relu:4"), Regularizer::ridge);
}

}  // namespace
}  // namespace weft
