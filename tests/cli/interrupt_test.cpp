#include "cli/run_weft.hpp"

#include <chrono>
#include <csignal>
#include <thread>

namespace weft::testing {

namespace {

class Interrupt : public WeftTest {
 protected:
  /// Until the temporary output has bytes in it; false when the command ended before.
  bool wait_for_output(const Child& child) const {
    while (child.running()) {
      for (const std::string& name : listing())
        if (std::filesystem::file_size(path(name)) > 100000) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  void expect_clean_stop(int signal, const std::string& out) const {
    Child child(folder(), {"features", "builtin:friedman1:rows=300000", "--features", "300", "--out", out});
    ASSERT_TRUE(wait_for_output(child)) << "the job was over before it could be stopped";
    EXPECT_EQ(listing().size(), 1u);
    EXPECT_NE(listing().at(0), out) << "the output has its name before it is whole";
    child.send(signal);
    const Outcome outcome = child.wait();
    EXPECT_EQ(outcome.exit_code, 130);
    EXPECT_EQ(outcome.err, "weft: stopped on request\n");
    EXPECT_EQ(listing(), Words{});
  }
};

TEST_F(Interrupt, LeavesNoFile) {
  expect_clean_stop(SIGINT, "f.csv");
  expect_clean_stop(SIGINT, "f.npy");
  expect_clean_stop(SIGTERM, "f.csv");
  expect_clean_stop(SIGHUP, "f.csv");
}

TEST_F(Interrupt, TheSecondSignalLeavesNoFileEither) {
  Child child(folder(), {"features", "builtin:friedman1:rows=300000", "--features", "300", "--out", "f.csv"});
  ASSERT_TRUE(wait_for_output(child));
  child.send(SIGTERM);
  child.send(SIGINT);
  EXPECT_EQ(child.wait().exit_code, 130);
  EXPECT_EQ(listing(), Words{});
}

TEST_F(Interrupt, TheNextRunRemovesWhatAKilledOneLeft) {
  Child child(folder(), {"features", "builtin:friedman1:rows=300000", "--features", "300", "--out", "f.csv"});
  ASSERT_TRUE(wait_for_output(child));
  child.send(SIGKILL);
  EXPECT_EQ(child.wait().exit_code, -1);
  EXPECT_EQ(listing().size(), 1u);
  weft_out({"features", "builtin:friedman1:rows=100", "--features", "3", "--out", "f.csv"});
  EXPECT_EQ(listing(), Words{"f.csv"});
}

TEST_F(Interrupt, AFileBeyondItsLimitIsAnErrorAndLeavesNothing) {
  EXPECT_EQ(shell("ulimit -f 100; weft generate friedman1 --rows 100000 --out g.csv 2>err"), 1);
  EXPECT_EQ(listing(), Words{"err"});
  EXPECT_NE(text("err").find("g.csv: cannot write it"), std::string::npos) << text("err");
}

}  // namespace

}  // namespace weft::testing
