// weft devices and --device, on a GPU that the host emulates (tests/cuda/emulator).
#include "cli/run_weft.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

Words words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

class DeviceCommand : public WeftTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(emulated_gpu())) GTEST_SKIP() << "there is no emulated GPU: " << emulated_gpu();
    WeftTest::SetUp();
    setenv("WEFT_CUDA", emulated_gpu().c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : {"WEFT_CUDA", "WEFT_EMULATED_GPUS", "WEFT_EMULATED_DRIVER"}) unsetenv(name);
    WeftTest::TearDown();
  }

  /// The largest difference between predictions of models that were fitted, and predict, on the CPU and on the GPU.
  double difference(const std::string& options) const {
    std::vector<std::vector<double>> predicted;
    for (const std::string& device : {std::string("cpu"), std::string("gpu")}) {
      const std::string model = device + ".weft";
      weft_out(
          words("train data.csv --target target --quiet --device " + device + " --model " + model + " " + options));
      predicted.push_back({});
      for (const auto& row : csv_numbers(weft_out({"predict", model, "data.csv", "--device", device})))
        predicted.back().push_back(row[0]);
    }
    EXPECT_EQ(predicted[0].size(), predicted[1].size());
    double largest = 0;
    for (std::size_t i = 0; i < predicted[0].size(); ++i)
      largest = std::max(largest, std::abs(predicted[0][i] - predicted[1][i]));
    return largest;
  }
};

TEST_F(DeviceCommand, IsListedWithItsMemory) {
  const auto list = nlohmann::json::parse(weft_out({"devices", "--json"}));
  ASSERT_EQ(list["devices"].size(), 2u);
  EXPECT_EQ(list["devices"][0]["name"], "cpu");
  EXPECT_EQ(list["devices"][1]["name"], "gpu:0");
  EXPECT_EQ(list["devices"][1]["capability"], "9.0");
  EXPECT_EQ(list["devices"][1]["memory"], 4294967296.0);
  EXPECT_EQ(list["problem"], "");
  EXPECT_NE(weft_out({"devices"}).find("emulated CUDA device"), std::string::npos);
}

TEST_F(DeviceCommand, ThatIsNotThereIsOneClearLine) {
  const auto refused = [&](const std::string& device, const std::string& reason) {
    expect_refused(words("train builtin:friedman1:rows=50 --quiet --device " + device), {"--device: " + reason});
  };
  refused("gpu:1", "there is no GPU 1; give gpu; there is one");
  refused("cuda", "'cuda' is not a device; give cpu, gpu, gpu:1 or auto");
  setenv("WEFT_EMULATED_GPUS", "0", 1);
  refused("gpu", "no GPU can be used: no CUDA-capable device is detected");
  setenv("WEFT_EMULATED_DRIVER", "11040", 1);
  refused("gpu", "the NVIDIA driver is too old: it supports CUDA 11.4, weft needs 13.0");
  EXPECT_NE(weft_out({"devices"}).find("too old"), std::string::npos);
  setenv("WEFT_EMULATED_DRIVER", "0", 1);
  refused("gpu", "no NVIDIA driver is installed; give cpu");
  setenv("WEFT_CUDA", "/nowhere/libweft_cuda.so", 1);
  refused("gpu", "the module for NVIDIA GPUs cannot be loaded");
  weft_out(words("train builtin:friedman1:rows=50 --fast --quiet --device auto"));
}

TEST_F(DeviceCommand, FitsAndPredictsWhatTheProcessorDoes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer says on standard error that it knows little of the emulator's contexts";
#endif
  weft_out(words("generate friedman1 --rows 700 --out data.csv"));
  EXPECT_LT(difference("--fast --features 200 --lambda 1e-3"), 1e-9);
  EXPECT_LT(difference("--fast --features 200 --lambda 1e-3 --precision single"), 1e-2);
  EXPECT_LT(difference("--fast --family rks-relu/sparse:2+rw-stumps --features 100 --lambda 1e-3"), 1e-9);
  EXPECT_LT(difference("--fit kernel-ridge --kernel laplace"), 1e-9);
  EXPECT_LT(difference("--fit kernel-ridge --kernel rbf --landmarks 150 --lambda 1e-4"), 1e-7);
  // Relevance is learned in single precision.
  EXPECT_LT(difference("--fit local --kernel laplace --leaf 250 --bandwidth 3 --lambda 0.01 --relevance 1"), 1e-4);
}

}  // namespace

}  // namespace weft::testing
