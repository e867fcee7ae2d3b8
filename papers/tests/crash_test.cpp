// An experiment that is killed goes on from its finished cells to the same numbers; and its disk may fail.
#include "crash/crash_case.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace weft::testing {

namespace {

class KilledExperiment : public CrashTest {
 protected:
  KilledExperiment() {
    std::string rows = "a,b,target\n";
    for (int i = 0; i < 90; ++i)
      rows += std::to_string(i % 7) + "," + std::to_string(i * i % 11) + "," + std::to_string(2 + i % 5) + "\n";
    write("abalone.csv.gz", rows);
    ::unsetenv("WEFT_DATA");
  }

  const Words run_ = {"run", "rkhs-figures-3-4", "--tiny", "--data", ".", "--out", "out", "--quiet"};

  /// The values of every cell; throws for a line that is not one.
  std::map<std::string, nlohmann::json> cells() const {
    std::map<std::string, nlohmann::json> all;
    std::istringstream lines(text("out/rkhs-figures-3-4.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto cell = nlohmann::json::parse(line);
      EXPECT_TRUE(all.emplace(cell.at("key").dump(), cell.at("values")).second) << "computed twice: " << line;
    }
    return all;
  }
  void expect_goes_on(const std::map<std::string, nlohmann::json>& whole) const {
    const Outcome outcome = weft(run_);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(cells(), whole);
    for (const auto& entry : std::filesystem::directory_iterator(path("out")))
      EXPECT_EQ(entry.path().string().find(".tmp-weft-"), std::string::npos) << entry.path();
  }
  void start_again() const { std::filesystem::remove_all(path("out")); }
};

TEST_F(KilledExperiment, GoesOnToTheSameNumbers) {
  const auto start = Clock::now();
  expect_goes_on((weft(run_), cells()));
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count() / 2;
  const auto whole = cells();
  EXPECT_EQ(whole.size(), 18u);
  std::mt19937_64 draws(crash_seed());
  for (int kill = 0; kill < times(5) && !HasFailure(); ++kill) {
    start_again();
    const double share = static_cast<double>(draws() % 1000) / 1000;
    {
      const Child child(folder(), run_);
      std::this_thread::sleep_for(std::chrono::duration<double>(share * seconds));
      child.send(kill % 3 == 1 ? SIGTERM : SIGKILL);
      while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    SCOPED_TRACE("killed after " + std::to_string(share) + " of the time");
    expect_goes_on(whole);
  }
}

#ifdef WEFT_FAULTS
TEST_F(KilledExperiment, OnADiskThatFailsToo) {
  weft(run_);
  const auto whole = cells();
  for (const char* kind : {"kill", "enospc", "eio", "short"})
    for (int number = 1; !HasFailure(); number += at_length() ? 1 : 7) {
      start_again();
      SCOPED_TRACE(kind + std::string(" at operation ") + std::to_string(number));
      Outcome outcome;
      if (!with_fault(kind, number, [&] { outcome = weft(run_); })) break;
      SCOPED_TRACE(outcome.err);
      if (kind == std::string("short")) {
        EXPECT_EQ(outcome.exit_code, 0);
      } else if (kind != std::string("kill")) {
        EXPECT_EQ(outcome.err.find("internal error"), std::string::npos);
      }
      expect_goes_on(whole);
    }
}
#endif

}  // namespace

}  // namespace weft::testing
