#include <weft/learned_activation.hpp>
#include <weft/model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/model_file_case.hpp"

namespace weft::testing {

using namespace detail;
namespace {

TEST_F(ModelFile, BytesAreThoseOfTheFile) {
  const Model model(sample_parts("y", sample_family("rw-stumps:10+rks-cos/sparse:1:10")));
  model.save(path_);
  EXPECT_EQ(model.to_bytes(), bytes());
  const Data data = sample_data(500, "y", "w");
  EXPECT_TRUE(predict_all(model, data, {}) == predict_all(Model::from_bytes(bytes()), data, {}));
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, bytes().size() / 2, bytes().size() - 1})
    EXPECT_THROW(Model::from_bytes(bytes().substr(0, size)), Error) << size;
}

TEST_F(ModelFile, EveryKindOfFamilyComesBack) {
  for (const char* family : {"rw-sign", "rw-relu/sparse:2", "rw-stumps", "rks-relu/axis", "rks-cos", "rw-exp-relu",
                             "rw-stumps:10+rks-cos/sparse:1:10+rw-leaky-relu"}) {
    SCOPED_TRACE(family);
    expect_round_trip(sample_parts("y", sample_family(family)), "y");
  }
  FamilyOptions phased = sample_family("rw-cos");
  phased.phase = 0.7;
  expect_round_trip(sample_parts("y", phased), "y");
}

TEST_F(ModelFile, EveryKindOfKernelComesBack) {
  for (const char* kernel :
       {"rbf", "laplace", "laplace-l2", "angular", "implicit:rw-sign", "implicit:rw-stumps+rw-relu/sparse:2"}) {
    SCOPED_TRACE(kernel);
    expect_round_trip(kernel_parts("y", kernel), "y");
    EXPECT_EQ(Model::load(path_).parts().map.sections()->kernel.name(), kernel);
    // A weft that knows no kernels, or not this one, must say so.
    EXPECT_EQ(bytes()[8], std::string(kernel) == "laplace-l2" ? 3 : 2);
  }
  Model(sample_parts("y")).save(path_);
  EXPECT_EQ(bytes()[8], 1);
}

TEST_F(ModelFile, ExponentsComeBack) {
  ModelParts parts = kernel_parts("y", "laplace");
  const KernelSections sections = *parts.map.sections();
  for (const double exponent : {1.0, 0.7}) {
    const Kernel kernel = Kernel::laplace(1.5, exponent);
    parts.map = FeatureMap::from_sections({kernel, sections.landmarks}, parts.map.inputs());
    expect_round_trip(parts, "y");
    EXPECT_EQ(Model::load(path_).parts().map.sections()->kernel.exponent(), exponent);
    EXPECT_EQ(bytes().find("\"exponent\":0.7") != std::string::npos, exponent != 1);
    EXPECT_EQ(bytes()[8], exponent == 1 ? 2 : 3);
  }
}

TEST_F(ModelFile, NoDamageToAKernelModelIsOverlooked) {
  Model(kernel_parts("yes", "rbf", 4)).save(path_);
  expect_no_damage_overlooked();
}

TEST_F(ModelFile, EveryKindOfEncoderAndTargetComesBack) {
  for (const Scaling scale : {Scaling::standard, Scaling::minmax, Scaling::quantile, Scaling::none, Scaling::both})
    for (const char* target : {"y,z", "yes", "kind"}) {
      SCOPED_TRACE(std::string(name_of(scale)) + " " + target);
      EncodeOptions encode;
      encode.scale = scale;
      encode.bias = scale != Scaling::minmax;
      ModelParts parts = sample_parts(target, sample_family(), encode);
      parts.probabilistic = std::string(target) == "yes";
      if (std::string(target) == "kind") parts.calibration = {{-1, -2, -3}, {0.1, 0.2, 1.0 / 3}};
      add_variance(parts);
      expect_round_trip(parts, target);
      EXPECT_EQ(bytes()[8], encode.scale == Scaling::both ? 3 : 1);
    }
}

TEST_F(ModelFile, LossesComeBackAndOldVersionsRefuseThem) {
  for (const FittedLoss& loss :
       {FittedLoss{RegressionLoss::poisson}, FittedLoss{RegressionLoss::absolute},
        FittedLoss{RegressionLoss::huber, {}, {1.0 / 3}}, FittedLoss{RegressionLoss::quantile, {1.0 / 3}}}) {
    SCOPED_TRACE(name_of(loss.kind));
    ModelParts parts = sample_parts("y");
    parts.loss = loss;
    expect_round_trip(parts, "y");
    EXPECT_EQ(Model::load(path_).parts().loss, loss);
    EXPECT_EQ(bytes()[8], 4);
  }
  Model(sample_parts("y")).save(path_);
  EXPECT_EQ(bytes().find("\"loss\""), std::string::npos);
  EXPECT_EQ(bytes()[8], 1);
  ModelParts parts = sample_parts("y");
  for (const FittedLoss& loss : {FittedLoss{RegressionLoss::huber}, FittedLoss{RegressionLoss::quantile, {0.1, 0.2}},
                                 FittedLoss{RegressionLoss::quantile, {1.5}}}) {
    parts.loss = loss;
    EXPECT_THROW(Model(parts).outputs(), Error) << name_of(loss.kind);
  }
}

TEST_F(ModelFile, EverythingSaidAboutTheFitComesBack) {
  ModelParts parts = sample_parts("y");
  parts.report.set("lambda", 1.0 / 3);
  parts.report.set("condition", std::numeric_limits<double>::infinity());
  parts.report.set("stopped", "because\nit \"could\"");
  parts.report.seconds = {{"solve", 0.25}};
  parts.report.warnings = {"\xff is not UTF-8"};
  parts.options = {{"lambda", "0.1"}, {"family", "rw-relu"}};
  parts.provenance = {{"data", "caf\xe9.csv"}};
  Model(parts).save(path_);
  const Model loaded = Model::load(path_);
  const ModelParts& back = loaded.parts();
  EXPECT_EQ(back.report.numbers, parts.report.numbers);
  EXPECT_EQ(back.report.words, parts.report.words);
  EXPECT_EQ(back.report.seconds, parts.report.seconds);
  EXPECT_EQ(back.report.warnings, parts.report.warnings);
  EXPECT_EQ(back.options, parts.options);
  EXPECT_EQ(back.provenance, parts.provenance);
  EXPECT_EQ(back.map.inputs().names, parts.map.inputs().names);
  EXPECT_EQ(back.map.inputs().variable_of, parts.map.inputs().variable_of);
}

TEST_F(ModelFile, SavingTwiceGivesTheSameBytes) {
  const Model model(sample_parts("kind"));
  model.save(path_);
  const std::string first = bytes();
  Model::load(path_).save(path_);
  EXPECT_EQ(bytes(), first);
}

TEST_F(ModelFile, NoDamagedByteAndNoLostEndIsOverlooked) {
  Model(sample_parts("yes", sample_family("rw-sign", 4))).save(path_);
  const std::string good = bytes();
  expect_no_damage_overlooked();
  put(good + '\0');
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {"checksum"});
}

TEST_F(ModelFile, NewerAndForeignFilesSaySo) {
  Model(sample_parts("yes")).save(path_);
  std::string newer = bytes();
  newer[8] = 7;
  put(newer);
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {"version 7", "up to 5", "upgrade"});
  put("a,b,target\n1,2,3\n4,5,6\n7,8,9\n");
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {"not a weft model"});
  put("");
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {"not a weft model"});
  expect_error([&] { Model::load(path_ + ".absent"); }, ErrorKind::file, {"cannot open"});
  expect_error([&] { Model::load("/"); }, ErrorKind::file, {"regular file"});
}

class ForgedSample : public ForgedModelFile {
 protected:
  void SetUp() override {
    ForgedModelFile::SetUp();
    ModelParts parts = sample_parts("y", sample_family("rw-relu/sparse:2+rks-cos", 10));
    add_variance(parts);
    save(parts);
  }
};

TEST_F(ForgedSample, AForgedChecksumIsAccepted) {
  forge([](Json&) {});
  EXPECT_EQ(Model::load(path_).outputs(), 1);
}

TEST_F(ForgedSample, AbsurdSizesAreRefusedBeforeAnythingIsAllocated) {
  forge(header_.dump(), ~std::uint64_t{0});
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {"does not fit"});
  forge(header_.dump(), std::uint64_t{1} << 50);
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {"does not fit"});
  forge("[[[[", 4);
  expect_error([&] { Model::load(path_); }, ErrorKind::model, {path_});

  const std::uint64_t huge = std::uint64_t{1} << 60;
  expect_refused([&](Json& h) { h["blocks"][0]["bytes"] = huge; }, "outside");
  expect_refused([&](Json& h) { h["blocks"][0]["offset"] = huge; }, "outside");
  expect_refused([&](Json& h) { h["blocks"][0]["offset"] = ~std::uint64_t{0} - 63; }, "outside");
  expect_refused([&](Json& h) { h["blocks"][0]["shape"] = {huge, huge}; }, "cannot be");
  expect_refused([&](Json& h) { h["blocks"][0]["shape"] = {huge, 0}; }, "cannot be");
  expect_refused([&](Json& h) { h["blocks"][0]["shape"] = {-1, -1}; }, "size");
  expect_refused([&](Json& h) { h["blocks"][0]["shape"][0] = 1e300; }, "size");
  expect_refused([&](Json& h) { h["blocks"][0]["shape"] = Json::array({1}); });
  expect_refused([&](Json& h) { h["blocks"][1]["offset"] = h["blocks"][0]["offset"]; }, "overlaps");
  expect_refused([&](Json& h) { h["blocks"][1]["offset"] = 8; }, "outside");
  expect_refused([&](Json& h) { h["blocks"][1]["name"] = h["blocks"][0]["name"]; }, "twice");
  expect_refused([&](Json& h) { h["blocks"].erase(h["blocks"].size() - 1); }, "after the last");
  expect_refused([&](Json& h) { h["blocks"][0]["type"] = "f4"; }, "cannot be");
  expect_refused([&](Json& h) { h["blocks"][0]["type"] = "f2"; }, "type");
  expect_refused([&](Json& h) { h["blocks"][0]["type"] = "i8"; }, "type");
}

TEST_F(ForgedSample, DeepNestingIsRefusedBeforeItReachesTheStack) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string header = header_.dump();
    header.back() = ',';
    header += "\"deep\":";
    for (int depth = 0; depth < 100000; ++depth) header += open;
    header += "0";
    for (int depth = 0; depth < 100000; ++depth) header += *open == '[' ? "]" : "}";
    header += "}";
    forge(header, header.size());
    expect_error([&] { Model::load(path_); }, ErrorKind::model, {path_, "nested"});
  }
}

TEST_F(ForgedSample, NumbersThatAreNotFiniteAreRefused) {
  int checked = 0;
  for (const Json& entry : Json(header_["blocks"])) {
    if (entry["type"] != "f8") continue;
    for (const double number : {std::nan(""), HUGE_VAL, -HUGE_VAL})
      expect_refused(entry["name"].get<std::string>(), entry["bytes"].get<std::size_t>() / 8 - 1, number, "not finite");
    ++checked;
  }
  EXPECT_GE(checked, 5);
}

TEST_F(ForgedSample, PartsThatDoNotFitAreRefused) {
  expect_refused([](Json& h) { h["format"] = "other"; });
  expect_refused([](Json& h) { h["features"]["parts"] = Json::array(); });
  expect_refused([](Json& h) { h["features"]["parts"][0]["groups"][0][0] = 1000; }, "column");
  expect_refused([](Json& h) { h["features"]["parts"][0]["groups"][0][0] = -1; }, "column");
  expect_refused([](Json& h) { h["features"]["parts"][0]["groups"] = Json::array(); }, "group");
  expect_refused([](Json& h) { h["features"]["parts"][0]["groups"] = Json::array({{0}}); });
  expect_refused([](Json& h) { h["features"]["parts"][0]["family"] = "rw-none"; });
  expect_refused([](Json& h) { h["features"]["parts"][0]["family"] = "rw-relu"; }, "dense");
  expect_refused([](Json& h) { h["features"]["parts"][0]["family"] = "rw-stumps"; }, "stump");
  expect_refused([](Json& h) { h["features"]["parts"][0]["family"] = "rw-sign+rw-relu"; });
  expect_refused([](Json& h) { h["features"]["parts"][0]["gamma"] = 0; });
  expect_refused([](Json& h) { h["features"]["inputs"]["names"].erase(0); });
  expect_refused([](Json& h) { h["encoder"]["options"]["bias"] = false; });
  expect_refused([](Json& h) { h["encoder"] = 3; });
  expect_refused([](Json& h) { h["blocks"][0]["name"] = "unknown"; });
  expect_refused([](Json& h) { h.erase("report"); });
}

TEST_F(ForgedSample, KernelsThatDoNotFitAreRefused) {
  save(kernel_parts("y", "implicit:rw-sign"));
  expect_refused([](Json& h) { h["features"]["kernel"]["name"] = "rbf"; }, "limit");
  expect_refused([](Json& h) { h["features"]["kernel"]["name"] = "implicit:rw-relu"; }, "name");
  expect_refused([](Json& h) { h["features"]["kernel"]["name"] = "magic"; }, "magic");
  expect_refused([](Json& h) { h["features"]["parts"][0]["groups"][0][0] = 1000; }, "column");
  expect_refused([](Json& h) { h["features"].erase("kernel"); });
  expect_refused([](Json& h) { h["blocks"][0]["name"] = "unknown"; }, "landmarks");
  save(kernel_parts("y", "rbf"));
  expect_refused([](Json& h) { h["features"]["kernel"]["bandwidth"] = -1; }, "width");
  expect_refused([](Json& h) { h["features"]["kernel"]["name"] = "implicit:rw-sign"; }, "limit");
  expect_every_leaf_handled();
}

TEST_F(ForgedSample, EveryChangedLeafLoadsOrThrowsAnError) {
  expect_every_leaf_handled();
}

TEST_F(ModelFile, CustomActivationsCannotBeStored) {
  // Even one that bears the name of a built-in.
  const ActivationPtr impostor = custom_activation("relu", [](double z) { return z * z * z; });
  ModelParts parts = sample_parts("y");
  parts.map = FeatureMap::draw(sample_family("rw-custom"), parts.encoder.inputs(), impostor);
  expect_error([&] { Model(parts).save(path_); }, ErrorKind::model, {path_, "relu", "cannot be stored", "built-in"});
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ModelFile, LearnedActivationsAreStored) {
  const std::vector<double> a = {0.1, -1.0 / 3, 2.5e-7, 4, 1, 0};
  for (const ActivationBasis& basis :
       {ActivationBasis::rbf(-2.1, 3, 6, 0.3), ActivationBasis::bspline(-2.1, 3, 6, 4)}) {
    ModelParts parts = sample_parts("y");
    parts.map = parts.map.with_activation(std::make_shared<LearnedActivation>(basis, a));
    const Model model(parts);
    model.save(path_);
    const Model loaded = Model::load(path_);
    EXPECT_EQ(loaded.parts().map.parts().front().family.name(), "rw-learned/sparse:2");
    const auto& h = dynamic_cast<const LearnedActivation&>(*loaded.parts().map.parts().front().family.activation);
    EXPECT_EQ(h.coefficients(), a);
    EXPECT_EQ(h.basis().kind, basis.kind);
    EXPECT_EQ(h.basis().first, basis.first);
    EXPECT_EQ(h.basis().step, basis.step);
    const Data data = sample_data(20, "");
    const Matrix before = model.predict(data), after = loaded.predict(data);
    for (Index i = 0; i < 20; ++i) EXPECT_EQ(before(i, 0), after(i, 0));
  }
}

TEST_F(ModelFile, AFolderThatIsNotThereIsAnError) {
  const Model model(sample_parts("y"));
  expect_error([&] { model.save(path_ + "/absent/m.weft"); }, ErrorKind::file, {"absent"});
}

}  // namespace
}  // namespace weft::testing
