#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class Help : public WeftTest {
 protected:
  /// The names under "Subcommands:" of weft --help.
  Words commands() const {
    const std::string help = weft_out({"--help"});
    const std::size_t start = help.find("Subcommands:\n");
    if (start == std::string::npos) return {};
    std::istringstream lines(help.substr(start));
    Words names;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && line.starts_with("  "))
      if (line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
  }
};

TEST_F(Help, EveryCommandShowsAnExampleOfItself) {
  const Words names = commands();
  for (const char* name : {"train", "tune", "predict", "evaluate", "explain", "certify", "prune", "export", "info",
                           "features", "kernel", "constants", "families", "generate", "version"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  for (const std::string& name : names) {
    const std::string help = weft_out({name, "--help"});
    EXPECT_NE(help.find("Example:\n  weft " + name), std::string::npos) << help;
  }
}

TEST_F(Help, FlagsAreShownAsTheyAreTyped) {
  const std::string help = weft_out({"train", "--help-all"});
  EXPECT_NE(help.find("--no-bias "), std::string::npos);
  EXPECT_EQ(help.find("{false}"), std::string::npos);
}

TEST_F(Help, OptionsStandUnderTheMethodsThatHaveThem) {
  const std::string help = weft_out({"train", "--help-all"});
  const auto place = [&](const std::string& text) {
    const std::size_t found = help.find(text);
    EXPECT_NE(found, std::string::npos) << text;
    return found;
  };
  EXPECT_LT(place("--fit kernel-ridge ("), place("--solver TEXT"));
  EXPECT_LT(place("options of several methods:"), place("--landmark-sampling TEXT    kernel-ridge, kernel-newton: "));
  EXPECT_LT(place("--fit lasso ("), place("--nonzeros INT"));
  EXPECT_LT(place("--tolerance FLOAT"), help.size());
}

TEST_F(Help, LimitsAreOfferedWhereTheyAreKept) {
  EXPECT_NE(weft_out({"train", "--help"}).find("--max-time"), std::string::npos);
  for (const char* name : {"predict", "evaluate", "certify", "features", "kernel", "info"}) {
    const std::string help = weft_out({name, "--help-all"});
    EXPECT_NE(help.find("--threads"), std::string::npos) << name;
    EXPECT_EQ(help.find("--max-"), std::string::npos) << name;
  }
}

TEST_F(Help, VersionIsOneLine) {
  const std::string version = weft_out({"version"});
  EXPECT_TRUE(version.starts_with("weft "));
  EXPECT_EQ(std::count(version.begin(), version.end(), '\n'), 1);
}

TEST_F(Help, VerboseVersionSaysWhatComputes) {
  const std::string text = weft_out({"version", "--verbose"});
  for (const char* line : {"weft ", "\nprocessor ", "\nweft kernels ", "\nBLAS ", "\nSQLite ", "\nPostgreSQL "})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST_F(Help, TheUsersChoiceOfBlasKernelsIsRespected) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  const std::string text = weft_out({"version", "--verbose"});
  unsetenv("OPENBLAS_CORETYPE");
  EXPECT_NE(text.find("OPENBLAS_CORETYPE=Prescott in the environment"), std::string::npos) << text;
}

TEST_F(Help, AMissingBlasLibraryIsNamed) {
  setenv("WEFT_BLAS", "libno_such_blas.so", 1);
  expect_refused({"version", "--verbose"}, {"libno_such_blas.so", "install OpenBLAS"});
  const std::string version = weft_out({"version"});
  unsetenv("WEFT_BLAS");
  EXPECT_TRUE(version.starts_with("weft "));  // it is loaded only when it is needed
}

TEST_F(Help, CommandsOfAnotherProgramAreNamedThere) {
  expect_refused({"reproduce", "all"}, {"'reproduce'", "see weft-papers run --help"});
  expect_refused({"rfm", "builtin:moons"}, {"'rfm'", "see weft-papers rfm --help"});
  expect_refused({"data", "list"}, {"'data'", "see weft-papers data --help"});
  expect_refused({"no-such"}, {"'no-such'", "see weft --help"});
}

}  // namespace

}  // namespace weft::testing
