// Bits that do not depend on the processor: other processors are simulated by the kernels that they would choose.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

class Determinism : public WeftTest {
 protected:
  std::string id_of(const std::string& model) const {
    return nlohmann::json::parse(weft_out({"info", model, "--json"})).at("content_id");
  }
  /// The content id of a model fitted with these variables in the environment.
  std::string fitted(const std::string& environment, const std::string& options) const {
    const std::string command = "train builtin:friedman1:rows=500 --model m.weft --quiet " + options;
    EXPECT_EQ(shell("export " + environment + "; weft " + command + " >out 2>err"), 0) << text("err");
    return id_of("m.weft");
  }
};

constexpr const char* kFast = "--fast --features 300";

TEST_F(Determinism, EqualRunsHaveEqualContentIds) {
  const std::string id = fitted("A=1", kFast);
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(fitted("OMP_NUM_THREADS=1", kFast), id);
  EXPECT_NE(fitted("A=1", "--fast --features 300 --seed 2"), id);
  const std::string printed = weft_out({"info", "m.weft"});
  EXPECT_NE(printed.find("content id       " + id_of("m.weft")), std::string::npos) << printed;
}

TEST_F(Determinism, FixedKernelsGiveTheSameBitsOnEveryProcessor) {
  if (weft_out({"version", "--verbose"}).find("processor     sse2") != std::string::npos)
    GTEST_SKIP() << "this processor has no AVX2";
  for (const std::string& options :
       {std::string(kFast), std::string("--fit kernel-ridge --kernel rbf"), std::string()}) {
    SCOPED_TRACE(options);
    const std::string fixed = options + " --deterministic";
    const std::string id = fitted("A=1", fixed);
    EXPECT_EQ(fitted("OPENBLAS_CORETYPE=Nehalem WEFT_INSTRUCTIONS=sse2 OMP_NUM_THREADS=1", fixed), id);
    EXPECT_EQ(fitted("OPENBLAS_CORETYPE=SkylakeX WEFT_INSTRUCTIONS=avx512 OMP_NUM_THREADS=3", fixed), id);
    EXPECT_EQ(fitted("GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-ERMS", fixed), id);
    EXPECT_NE(fitted("OPENBLAS_CORETYPE=Nehalem WEFT_INSTRUCTIONS=sse2", options), id)
        << "the simulation changes nothing";
  }
}

}  // namespace

}  // namespace weft::testing
