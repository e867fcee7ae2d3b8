// A search while it runs and when it is stopped; the order of prune's path.
#include "cli/run_weft.hpp"

#include <chrono>
#include <thread>

#include <pty.h>

namespace weft::testing {

namespace {

/// The command on a terminal of its own.
class OnTerminal {
 public:
  OnTerminal(const std::filesystem::path& folder, Words arguments) {
    arguments.insert(arguments.begin(), weft_command());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    winsize size{.ws_row = 40, .ws_col = 150, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~OnTerminal() { ::close(terminal_); }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }
  /// Reads on until the text occurs; false at the end of the output.
  bool wait_for(const std::string& word) {
    char buffer[4096];
    while (text_.find(word) == std::string::npos) {
      const ssize_t n = ::read(terminal_, buffer, sizeof buffer);
      if (n <= 0) return false;
      text_.append(buffer, static_cast<std::size_t>(n));
    }
    return true;
  }
  int wait() {
    wait_for("\n\n no such text \n\n");
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& text() const { return text_; }

 private:
  int terminal_ = -1;
  pid_t pid_ = 0;
  std::string text_;
};

class SearchProgress : public WeftTest {
 protected:
  SearchProgress() { weft_out({"generate", "friedman1", "--rows", "2000", "--out", "t.csv"}); }
  static bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }
};

TEST_F(SearchProgress, CountAndBestStayVisible) {
  OnTerminal tune(folder(), {"tune", "t.csv", "--target", "target", "--fit", "kernel-ridge", "--landmarks", "50",
                             "--configurations", "4"});
  EXPECT_EQ(tune.wait(), 0) << tune.text();
  EXPECT_TRUE(has(tune.text(), "of 4 (")) << tune.text();
  EXPECT_TRUE(has(tune.text(), "best: mse ")) << tune.text();
  EXPECT_TRUE(has(tune.text(), " left")) << tune.text();
  // Stages of a configuration stand beside the count.
  const std::size_t stage = tune.text().find("  | ");
  ASSERT_NE(stage, std::string::npos) << tune.text();
  EXPECT_TRUE(has(tune.text().substr(tune.text().rfind('\r', stage), stage), "configurations"));
}

TEST_F(SearchProgress, TestFileIsReadBeforeTheSearch) {
  write("other.csv", "p,target\n1,2\n");
  write("word.csv", "x0,x1,x2,x3,x4,x5,x6,x7,x8,x9,target\n1,1,1,1,1,1,1,1,1,many,2\n");
  for (const char* file : {"other.csv", "word.csv"}) {
    expect_refused({"tune", "t.csv", "--target", "target", "--family", "rw-sign", "--test", file, "--log", "log.jsonl"},
                   {file});
    expect_refused({"train", "t.csv", "--target", "target", "--auto", "--family", "rw-sign", "--test", file, "--log",
                    "log.jsonl", "--model", "m.weft"},
                   {file});
  }
}

TEST_F(SearchProgress, StoppedSearchTellsWhatItFoundAndHowToGoOn) {
  for (const bool as_json : {false, true}) {
    const std::string log = as_json ? "json.jsonl" : "log.jsonl";
    Words arguments = {"tune",  "t.csv", "--target", "target", "--family", "rw-sign", "--configurations",
                       "10000", "--log", log};
    if (as_json) arguments.emplace_back("--json");
    Child child(folder(), arguments);
    const auto finished = [&] {
      if (!std::filesystem::exists(path(log))) return 0L;
      const std::string lines = text(log);
      return static_cast<long>(std::count(lines.begin(), lines.end(), '\n'));
    };
    while (child.running() && finished() < 5) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    child.send(SIGINT);
    const Outcome outcome = child.wait();
    EXPECT_EQ(outcome.exit_code, 130);
    EXPECT_EQ(outcome.err, "weft: stopped on request\n");
    if (as_json) {
      EXPECT_TRUE(has(outcome.out, "\"planned\": 10000")) << outcome.out.substr(0, 500);
      continue;
    }
    for (const char* word : {"of 10000 configurations", "weft train", "--family rw-sign --features 500 --sigma ",
                             " --lambda ", "The same command goes on from log.jsonl."})
      EXPECT_TRUE(has(outcome.out, word)) << word << "\n" << outcome.out;
  }
}

TEST_F(SearchProgress, StoppedPortfolioTellsWhatItFound) {
  OnTerminal train(folder(), {"train", "builtin:friedman1:rows=400", "--target", "target", "--auto"});
  ASSERT_TRUE(train.wait_for("best: error ")) << train.text();
  train.send(SIGINT);
  EXPECT_EQ(train.wait(), 130) << train.text();
  EXPECT_TRUE(has(train.text(), "stopped at candidates ")) << train.text();
  EXPECT_TRUE(has(train.text(), "--max-time")) << train.text();
}

TEST_F(SearchProgress, PruneShowsItsPathInOrder) {
  weft_out({"train", "t.csv", "--target", "target", "--features", "60", "--model", "m.weft"});
  const std::string said = weft_out({"prune", "m.weft", "t.csv", "--out", "s.weft"});
  std::istringstream lines(said.substr(said.find("\nlambda") + 1));
  std::string line;
  std::getline(lines, line);  // names
  std::getline(lines, line);  // rule
  std::vector<int> kept;
  for (double lambda = 0; std::getline(lines, line) && !line.empty();) {
    std::istringstream cells(line);
    int count = 0;
    if (cells >> lambda >> count) kept.push_back(count);
  }
  EXPECT_GT(kept.size(), 3u) << said;
  EXPECT_TRUE(std::is_sorted(kept.rbegin(), kept.rend())) << said;
}

}  // namespace

}  // namespace weft::testing
