// Every job that writes files: killed at any moment, and on a disk that fails at any operation. Never half a file, what
// was there before stays until the new file is whole, nothing is left over after the next run, and that run gives what
// an undisturbed one gives. scripts/crash runs the same for longer.
#include "crash/crash_case.hpp"

namespace weft::testing {

namespace {

constexpr const char* kOld = "what was there before";

class Crash : public CrashTest, public ::testing::WithParamInterface<std::string> {
 protected:
  Crash() {
    weft_out({"generate", "friedman1", "--rows", "400", "--out", "t.csv"});
    weft_out({"generate", "moons", "--rows", "400", "--noise", "0.4", "--out", "c.csv"});
    weft_out({"train", "t.csv", "--target", "target", "--fast", "--features", "30", "--model", "base.weft"});
    weft_out({"plan", "t.csv", "--target", "target", "--features", "30", "--out", "base.plan"});
    weft_out({"sums", "t.csv", "--plan", "base.plan", "--out", "base.sums"});
  }

  static const Job& job() {
    for (const Job& each : jobs())
      if (each.name == GetParam()) return each;
    throw std::out_of_range(GetParam());
  }

 public:
  static const std::vector<Job>& jobs() {
    static const std::vector<Job> all = {
        {"generate", {"generate", "spirals", "--rows", "300", "--out", "o.csv"}, "o.csv", whole_text},
        {"train",
         {"train", "t.csv", "--target", "target", "--fast", "--features", "30", "--model", "o.weft"},
         "o.weft",
         model_contents},
        {"portfolio",
         {"train", "c.csv", "--target", "target", "--model", "o.weft"},
         "o.weft",
         model_contents,
         "",
         {},
         true},
        {"sfgd",
         {"train", "t.csv", "--target", "target", "--fit", "sfgd", "--lambda", "0.05", "--features", "1200",
          "--checkpoint", "state", "--model", "o.weft"},
         "o.weft",
         model_contents,
         "state",
         {"--resume"},
         true},
        {"logistic",
         {"train", "c.csv", "--target", "target", "--task", "classification", "--fit", "logistic", "--features", "60",
          "--lambda", "1e-5", "--tolerance", "1e-10", "--checkpoint", "state", "--model", "o.weft"},
         "o.weft",
         model_contents,
         "state",
         {"--resume"},
         true},
        {"tune",
         {"tune", "t.csv", "--target", "target", "--family", "rw-sign", "--features", "20", "--configurations", "6",
          "--log", "log.jsonl", "--model", "o.weft"},
         "o.weft",
         model_contents,
         "log.jsonl",
         {},
         true},
        {"predict", {"predict", "base.weft", "t.csv", "--out", "o.csv"}, "o.csv", whole_text},
        {"predict-gz", {"predict", "base.weft", "t.csv", "--out", "o.csv.gz"}, "o.csv.gz", whole_text},
        {"predict-npy", {"predict", "base.weft", "t.csv", "--out", "o.npy"}, "o.npy", whole_text},
        {"plan", {"plan", "t.csv", "--target", "target", "--features", "30", "--out", "o.plan"}, "o.plan", whole_text},
        {"sums", {"sums", "t.csv", "--plan", "base.plan", "--out", "o.sums"}, "o.sums", whole_text},
        {"merge", {"merge", "base.sums", "--out", "o.sums"}, "o.sums", whole_text},
        {"solve", {"solve", "base.sums", "--model", "o.weft"}, "o.weft", model_contents},
        {"features",
         {"features", "t.csv", "--target", "target", "--features", "10", "--out", "o.csv"},
         "o.csv",
         whole_text},
        {"prune", {"prune", "base.weft", "t.csv", "--out", "o.weft"}, "o.weft", model_contents, "", {}, true},
        {"export", {"export", "base.weft", "--out", "o.c"}, "o.c", whole_text},
    };
    return all;
  }

 protected:
  /// visit(outcome) for the fault at every operation of the job, all of which find the old file there.
  void at_every_operation(const std::string& kind, const std::function<void(const Outcome&)>& visit) const {
    // The suite takes every third, of a slow job few of them.
    const int step = at_length() ? 1 : job().slow ? 31 : 3;
    constexpr int kMost = 10000;
    int number = 1;
    for (; number < kMost && !HasFailure(); number += step) {
      write(job().output, kOld);
      if (!job().log.empty()) std::filesystem::remove(path(job().log));
      SCOPED_TRACE(kind + " at operation " + std::to_string(number));
      Outcome outcome;
      if (!with_fault(kind, number, [&] { outcome = weft(job().arguments); })) break;
      SCOPED_TRACE(outcome.err);
      visit(outcome);
    }
    EXPECT_GT(number, 3) << "the faults are not reached";
    RecordProperty(kind, (number - 1) / step);
  }
};

TEST_P(Crash, KilledAtEveryOperation) {
  const Undisturbed whole = run_undisturbed(job());
  at_every_operation("kill", [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.exit_code, -1);
    expect_old_or_new(job(), kOld, whole.contents);
    expect_goes_on(job(), whole.contents);
  });
}

TEST_P(Crash, KilledAtRandomMoments) {
  const Undisturbed whole = run_undisturbed(job());
  std::mt19937_64 draws(crash_seed() + std::hash<std::string>()(job().name));
  for (int kill = 0; kill < times(3) && !HasFailure(); ++kill) {
    write(job().output, kOld);
    if (!job().log.empty()) std::filesystem::remove(path(job().log));
    const double share = static_cast<double>(draws() % 1000) / 1000;
    {
      const Child child(folder(), job().arguments);
      std::this_thread::sleep_for(std::chrono::duration<double>(share * 1.1 * whole.seconds));
      child.send(kill % 3 == 1 ? SIGTERM : SIGKILL);
      while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    RecordProperty("kills", kill + 1);
    SCOPED_TRACE("killed after " + std::to_string(share) + " of the time");
    expect_old_or_new(job(), kOld, whole.contents);
    expect_goes_on(job(), whole.contents);
  }
}

TEST_P(Crash, ADiskThatFailsIsAnErrorAndTheOldFileStays) {
  const Undisturbed whole = run_undisturbed(job());
  for (const char* kind : {"enospc", "eio"})
    at_every_operation(kind, [&](const Outcome& outcome) {
      expect_old_or_new(job(), kOld, whole.contents);
      expect_no_temporaries();
      if (outcome.exit_code != 0) {
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
        EXPECT_NE(outcome.err.find("; "), std::string::npos) << "no remedy";
        EXPECT_EQ(outcome.err.find("internal error"), std::string::npos);
        expect_goes_on(job(), whole.contents);
      } else {
        EXPECT_EQ(job().contents(path(job().output)), whole.contents);
      }
    });
}

TEST_P(Crash, ShortAndInterruptedWritesChangeNothing) {
  const Undisturbed whole = run_undisturbed(job());
  for (const char* kind : {"short", "eintr"})
    at_every_operation(kind, [&](const Outcome& outcome) {
      EXPECT_EQ(outcome.exit_code, 0);
      EXPECT_EQ(job().contents(path(job().output)), whole.contents);
      expect_no_temporaries();
    });
}

INSTANTIATE_TEST_SUITE_P(Jobs, Crash, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Job& job : Crash::jobs()) names.push_back(job.name);
                           return names;
                         }()),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace

}  // namespace weft::testing
