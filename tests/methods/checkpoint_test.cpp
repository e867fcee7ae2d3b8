#include "methods/checkpoint.hpp"

#include "methods/descent_problem.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include <zlib.h>

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
  static std::string sealed(std::string bytes) {
    const auto sum =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
    return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
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

// Whoever knows the digest can write any of these with a sum that is right.
TEST_F(CheckpointFile, HeadersWithARightSumAreCheckedToo) {
  state_.step = -3;
  state_.save(path_);
  EXPECT_THROW(Checkpoint::load(path_, "sfgd", "digest"), Error);
  const std::string arrays(8, '\0');
  for (const std::string& header : {
           std::string("[]"),
           std::string("{}"),
           std::string("17"),
           std::string(100000, '['),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1.5,"arrays":[1]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":18446744073709551615,"arrays":[1]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":"1","arrays":[1]})"),
           std::string(R"({"fit":7,"digest":"digest","step":1,"arrays":[1]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1,"arrays":[-1]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1,"arrays":[2305843009213693953]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1,"arrays":[2]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1,"arrays":[]})"),
           std::string(R"({"fit":"sfgd","digest":"digest","step":1,"arrays":[null]})"),
       }) {
    write(sealed("weft checkpoint 1\n" + header + "\n" + arrays));
    EXPECT_THROW(Checkpoint::load(path_, "sfgd", "digest"), Error) << header.substr(0, 80);
  }
  write(
      sealed("weft checkpoint 1\n"
             R"({"fit":"sfgd","digest":"digest","step":1,"arrays":[1]})"
             "\n" +
             arrays));
  EXPECT_EQ(Checkpoint::load(path_, "sfgd", "digest").arrays.size(), 1u);
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
