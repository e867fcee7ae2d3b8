#include "methods/checkpoint.hpp"

#include "methods/descent_problem.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>

namespace weft {

using namespace detail;

using Scene = BasicScene<FunctionalGradientOptions>;
namespace {

class CheckpointFile : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("checkpoint");
  Checkpoint state_{"sfgd", "digest", 17, {{1, -0.0, 1e-310}, {}, {std::numeric_limits<double>::infinity()}}};

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
};

TEST_F(CheckpointFile, ComesBackAsWritten) {
  state_.save(path_);
  const Checkpoint loaded = Checkpoint::load(path_, "sfgd", "digest");
  EXPECT_EQ(loaded.step, 17);
  EXPECT_EQ(loaded.arrays, state_.arrays);
  EXPECT_TRUE(std::signbit(loaded.arrays[0][1]));
}

TEST_F(CheckpointFile, EveryFlippedByteAndEveryCutIsNoticed) {
  state_.save(path_);
  const std::string good = bytes();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    write(bad);
    EXPECT_THROW(Checkpoint::load(path_, "sfgd", "digest"), Error) << "byte " << i;
    write(good.substr(0, i));
    EXPECT_THROW(Checkpoint::load(path_, "sfgd", "digest"), Error) << "cut at " << i;
  }
}

TEST_F(CheckpointFile, ForeignOnesAreRefused) {
  EXPECT_THROW(Checkpoint::load(path_, "sfgd", "digest"), Error);  // absent
  state_.save(path_);
  EXPECT_THROW(Checkpoint::load(path_, "logistic", "digest"), Error);
  EXPECT_THROW(Checkpoint::load(path_, "sfgd", "another"), Error);
}

TEST(CheckpointDigest, NamesWhatAResultDependsOn) {
  const Scene scene("rw-sign", 8, 30);
  const std::string digest = checkpoint_digest(scene.problem());
  Scene other("rw-sign", 8, 30);
  other.run.threads = 3;
  other.own().checkpoint = "elsewhere";
  other.own().resume = true;
  EXPECT_EQ(checkpoint_digest(other.problem()), digest);
  other.options.lambda = 0.06;
  EXPECT_NE(checkpoint_digest(other.problem()), digest);
  EXPECT_NE(checkpoint_digest(Scene("rw-relu", 8, 30).problem()), digest);
  EXPECT_NE(checkpoint_digest(Scene("rw-sign", 8, 31).problem()), digest);
  EXPECT_NE(checkpoint_digest(Scene("rw-sign", 8, 30, 1, false, std::vector<double>(30, 2.0)).problem()), digest);
}

}  // namespace
}  // namespace weft
