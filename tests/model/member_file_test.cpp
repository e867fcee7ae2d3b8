#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "model/model_file_case.hpp"
#include "model/sample_members.hpp"

namespace weft::testing {

using namespace detail;
namespace {

class MemberFile : public ForgedModelFile {
 protected:
  const Json* block(const std::string& name) const {
    for (const Json& entry : header_["blocks"])
      if (entry["name"] == name) return &entry;
    return nullptr;
  }
};

TEST_F(MemberFile, MembersComeBack) {
  for (const char* target : {"y", "y,z", "yes", "kind"}) {
    SCOPED_TRACE(target);
    const ModelParts parts = member_parts(target);
    expect_round_trip(parts, target);
    EXPECT_EQ(bytes()[8], 3);
    const Model loaded = Model::load(path_);
    EXPECT_EQ(loaded.parts().relevance, parts.relevance);
    ASSERT_EQ(loaded.parts().members.size(), parts.members.size());
    for (std::size_t m = 0; m < parts.members.size(); ++m) {
      const Member& member = loaded.parts().members[m];
      EXPECT_EQ(member.name, parts.members[m].name);
      EXPECT_EQ(member.weight, parts.members[m].weight);
      EXPECT_TRUE(member.transform == parts.members[m].transform);
      EXPECT_EQ(member.leaves.size(), parts.members[m].leaves.size());
    }
    const std::string first = bytes();
    loaded.save(path_);
    EXPECT_EQ(bytes(), first);
  }
}

// A loaded leaf takes its landmarks when the first row reaches it, and several threads may bring it one at once.
TEST_F(MemberFile, ThreadsThatPredictFirstAgree) {
  const Model model(member_parts("y"));
  model.save(path_);
  const Data data = sample_data(300, "y", "w");
  const auto expected = predict_all(model, data, {});
  for (int round = 0; round < 10; ++round) {
    const Model loaded = Model::load(path_);
    EXPECT_EQ(loaded.parts().members[0].leaves[1].map.kernel()->bandwidth(), 2.5);
    EXPECT_EQ(loaded.parts().members[0].leaves[1].map.features(), 8);
    std::atomic<int> same = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k)
      threads.emplace_back([&] { same += predict_all(loaded, data, {}) == expected ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(same, 4);
  }
}

TEST_F(MemberFile, EveryKindOfKernelComesBack) {
  for (const char* kernel : {"rbf", "laplace", "angular", "implicit:rw-sign", "implicit:rw-stumps+rw-relu/sparse:2"}) {
    SCOPED_TRACE(kernel);
    ModelParts parts = kernel_parts("y", kernel);
    parts.members = {{"only", 1, {}, {}, {{parts.map, parts.coefficients, {0.5}}}}};
    parts.map = FeatureMap::from_parts({}, parts.encoder.inputs());
    parts.coefficients = {};
    expect_round_trip(parts, "y");
    EXPECT_EQ(Model::load(path_).parts().members[0].leaves[0].map.sections()->kernel.name(), kernel);
  }
}

TEST_F(MemberFile, TreesOverTheSameRowsStoreThemOnce) {
  save(member_parts("y"));
  ASSERT_NE(block("transform0.landmarks"), nullptr);
  EXPECT_EQ((*block("transform0.landmarks"))["shape"], Json::array({30, 3}));
  EXPECT_EQ((*block("transform0.landmarks"))["type"], "f8");
  EXPECT_EQ((*block("member0.landmarks"))["type"], "i4");
  EXPECT_EQ((*block("member0.landmarks"))["shape"][0], 29);
  EXPECT_EQ((*block("member1.landmarks"))["shape"][0], 30);
  EXPECT_EQ(header_["members"][1]["transform"], 0);
  EXPECT_EQ(header_["members"][2]["transform"], 1);
  // Two kernels and the leaf without features, for four leaves.
  EXPECT_EQ(header_["members"][0]["maps"].size(), 3U);
  EXPECT_EQ(header_["members"][1]["maps"].size(), 1U);
}

TEST_F(MemberFile, LandmarksThatAreFloatsAreStoredAsFloats) {
  ModelParts parts = member_parts("y");
  Member& member = parts.members[2];
  Matrix landmarks = member.leaves[0].map.sections()->landmarks;
  for (Index i = 0; i < landmarks.rows() * landmarks.cols(); ++i)
    landmarks.data()[i] = static_cast<double>(static_cast<float>(landmarks.data()[i]));
  const KernelSections sections{Kernel::rbf(1.2), landmarks};
  member.leaves[0].map = FeatureMap::from_sections(sections, member.leaves[0].map.inputs());
  expect_round_trip(parts, "y");
  take_apart();
  EXPECT_EQ((*block("transform1.landmarks"))["type"], "f4");
  EXPECT_EQ((*block("transform1.landmarks"))["bytes"], 48);
  // Beyond the range of floats, and no number at all.
  for (const double number :
       {1e300, -1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 0.1}) {
    landmarks(0, 0) = number;
    member.leaves[0].map = FeatureMap::from_sections({Kernel::laplace(1), landmarks}, member.leaves[0].map.inputs());
    save(parts);
    EXPECT_EQ((*block("transform1.landmarks"))["type"], "f8") << number;
  }
}

TEST_F(MemberFile, NoDamageIsOverlooked) {
  ModelParts parts = member_parts("yes");
  parts.members.resize(2);
  Model(parts).save(path_);
  expect_no_damage_overlooked();
}

TEST_F(MemberFile, TreesThatAreNoneAreRefused) {
  save(member_parts("y"));
  const auto number = [](auto value) { return static_cast<std::int32_t>(value); };
  expect_refused("member0.children", 0, number(-1), "two parents");
  expect_refused("member0.children", 0, number(0), "two parents");
  expect_refused("member0.children", 3, number(1), "two parents");
  expect_refused("member0.children", 3, number(3), "does not exist");
  expect_refused("member0.children", 3, number(-5), "does not exist");
  expect_refused("member0.children", 3, std::numeric_limits<std::int32_t>::min(), "does not exist");
  expect_refused("member0.split_inputs", 0, number(3), "does not exist");
  expect_refused("member0.split_inputs", 0, number(-1), "does not exist");
  expect_refused("member0.thresholds", 1, std::numeric_limits<double>::quiet_NaN(), "not finite");
  expect_refused("transform0.factors", 1, std::numeric_limits<double>::infinity(), "not finite");
  expect_refused("transform0.columns", 1, number(3), "order");
  expect_refused("transform0.columns", 2, number(4000), "column");
  expect_refused("transform1.matrix", 1, std::numeric_limits<double>::quiet_NaN(), "not finite");
  expect_refused("relevance", 1, 2.0, "relevance");
}

TEST_F(MemberFile, LeavesThatDoNotFitAreRefused) {
  save(member_parts("y"));
  const auto number = [](auto value) { return static_cast<std::int32_t>(value); };
  expect_refused("member0.sizes", 0, number(13), "leaves");
  expect_refused("member0.sizes", 0, number(-12), "leaves");
  expect_refused("member0.sizes", 3, number(1), "leaves");
  expect_refused("member0.sizes", 3, std::numeric_limits<std::int32_t>::max(), "leaves");
  expect_refused("member0.maps", 0, number(3), "features of a leaf");
  expect_refused("member0.maps", 0, number(-1), "features of a leaf");
  expect_refused("member0.maps", 0, number(2), "landmarks and leaves");
  expect_refused("member0.maps", 3, number(0), "a kernel without landmarks");
  expect_refused("member0.landmarks", 28, number(30), "landmark");
  expect_refused("member0.landmarks", 28, number(-1), "landmark");
  expect_refused("member3.maps", 1, number(0), "features of a leaf");
}

TEST_F(MemberFile, HeadersThatDoNotFitAreRefused) {
  save(member_parts("y"));
  const auto rename = [&](const std::string& name) {
    return [&, name](Json& h) {
      for (Json& entry : h["blocks"])
        if (entry["name"] == name) entry["name"] = "unknown";
    };
  };
  for (const char* name :
       {"member0.split_inputs", "member0.thresholds", "member0.children", "member0.maps", "member0.sizes",
        "member0.landmarks", "member0.coefficients", "member0.intercepts", "transform0.columns", "transform0.landmarks",
        "transform1.matrix", "member3.map0.part0.weights"})
    expect_refused(rename(name), "inconsistent");
  expect_refused([](Json& h) { h["members"][0]["transform"] = 2; }, "transforms");
  expect_refused([](Json& h) { h["members"][1]["transform"] = 1; }, "inconsistent");
  expect_refused([](Json& h) { h["members"][0]["transform"] = -1; }, "transforms");
  expect_refused([](Json& h) { h["members"][0]["transform"] = 1e300; }, "transforms");
  expect_refused([](Json& h) { h["members"][0]["weight"] = "nan"; }, "weight");
  expect_refused([](Json& h) { h["members"][0]["maps"][0]["kernel"]["bandwidth"] = -1; }, "width");
  expect_refused([](Json& h) { h["members"][0]["maps"][0]["kernel"]["name"] = "magic"; }, "magic");
  expect_refused([](Json& h) { h["members"].erase(0); });
  expect_refused([](Json& h) { h["members"] = Json::array(); }, "inconsistent");
  expect_refused([](Json& h) { h.erase("members"); });
}

TEST_F(MemberFile, EveryChangedLeafOfTheHeaderLoadsOrThrowsAnError) {
  ModelParts parts = member_parts("y");
  parts.members.pop_back();  // random features have hundreds of leaves, which ForgedSample changes
  save(parts);
  expect_every_leaf_handled("/members");
}

}  // namespace
}  // namespace weft::testing
