// Where results go: links, pipes, devices, full disks, and files that must not be overwritten.
#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

namespace fs = std::filesystem;

class OutputFiles : public WeftTest {
 protected:
  OutputFiles() {
    weft_out({"generate", "moons", "--rows", "60", "--out", "rows.csv"});
    weft_out({"train", "rows.csv", "--target", "x0", "--features", "10", "--model", "m.weft"});
    predictions_ = weft_out({"predict", "m.weft", "rows.csv"});
  }
  const std::string& predictions() const { return predictions_; }

  /// Refused, and every file as it was.
  void expect_kept(const Words& arguments, const Words& words, const std::string& input = "/dev/null") const {
    std::vector<std::string> before;
    for (const std::string& name : listing()) before.push_back(text(name));
    expect_refused(arguments, words, input);
    std::vector<std::string> after;
    for (const std::string& name : listing()) after.push_back(text(name));
    EXPECT_EQ(before, after);
  }

  void expect_full(const std::string& command) const {
    SCOPED_TRACE(command);
    EXPECT_EQ(shell(command + " > /dev/full 2> err"), 1);
    const std::string said = text("err");
    EXPECT_NE(said.find("standard output"), std::string::npos) << said;
    // The reason is lost where the output is larger than the buffer.
    if (command != "weft train --help" && command != "weft man" && command != "weft completion fish") {
      EXPECT_NE(said.find("No space left on device"), std::string::npos) << said;
    }
    EXPECT_NE(said.find("; "), std::string::npos) << "no remedy";
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }

 private:
  std::string predictions_;
};

TEST_F(OutputFiles, LinksAreFollowed) {
  fs::create_directory(folder() / "there");
  fs::create_symlink("there/p.csv", folder() / "first");
  fs::create_symlink("first", folder() / "p.csv");
  for (int time = 0; time < 2; ++time) {  // to a file that is not there, then to one that is
    weft_out({"predict", "m.weft", "rows.csv", "--out", "p.csv"});
    EXPECT_TRUE(fs::is_symlink(folder() / "p.csv"));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder() / "there/p.csv")));
    EXPECT_EQ(text("there/p.csv"), predictions());
    write("there/p.csv", "old");
  }
  fs::create_symlink("loop.csv", folder() / "loop.csv");
  expect_refused({"predict", "m.weft", "rows.csv", "--out", "loop.csv"}, {"loop.csv:", "symbolic links"});
}

TEST_F(OutputFiles, PermissionsStay) {
  write("p.csv", "old");
  fs::permissions(folder() / "p.csv", fs::perms::owner_read | fs::perms::owner_write);
  weft_out({"predict", "m.weft", "rows.csv", "--out", "p.csv"});
  EXPECT_EQ(fs::status(folder() / "p.csv").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(text("p.csv"), predictions());
}

TEST_F(OutputFiles, PipesAreWrittenInPlace) {
  const auto through_pipe = [&](const std::string& name, const std::string& command) {
    EXPECT_EQ(shell("mkfifo " + name + "; timeout 60 cat " + name + " > got & " + command + " > said; wait"), 0);
    EXPECT_TRUE(fs::is_fifo(folder() / name)) << name;
    return text("got");
  };
  EXPECT_EQ(through_pipe("p.csv", "weft predict m.weft rows.csv --out p.csv"), predictions());
  EXPECT_EQ(npy_numbers(through_pipe("p.npy", "weft predict m.weft rows.csv --out p.npy")), csv_numbers(predictions()));
  write("copy.weft", through_pipe("pipe", "weft train rows.csv --target x0 --features 10 --model pipe"));
  EXPECT_EQ(weft_out({"predict", "copy.weft", "rows.csv"}), predictions());
  const std::string smaller = through_pipe("small", "weft prune m.weft rows.csv --features 4 --out small");
  write("small.weft", smaller);
  weft_out({"info", "small.weft"});
  EXPECT_TRUE(through_pipe("page", "weft train rows.csv --target x0 --features 5 --report page").starts_with("<!"));
}

TEST_F(OutputFiles, DevicesStayDevices) {
  fs::create_symlink("/dev/full", folder() / "full.csv");
  for (const Words& arguments : {Words{"predict", "m.weft", "rows.csv", "--out", "full.csv"},
                                 Words{"generate", "moons", "--out", "/dev/full"}}) {
    expect_refused(arguments, {arguments.back() + ":", "No space left on device"});
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
  }
  EXPECT_EQ(weft({"train", "rows.csv", "--target", "x0", "--features", "5", "--model", "/dev/full"}).exit_code, 1);
  weft_out({"train", "rows.csv", "--target", "x0", "--features", "5", "--model", "/dev/null", "--report", "/dev/null"});
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFiles, DescriptorsAreWrittenWhereTheyAre) {
  EXPECT_EQ(weft_out({"predict", "m.weft", "rows.csv", "--out", "/dev/stdout"}), predictions());
  EXPECT_EQ(shell("(echo before; weft predict m.weft rows.csv --out /dev/stdout; echo after) > all"), 0);
  EXPECT_EQ(text("all"), "before\n" + predictions() + "after\n");
  EXPECT_EQ(shell("weft predict m.weft rows.csv --out /dev/stdout | cat > piped"), 0);
  EXPECT_EQ(text("piped"), predictions());
  EXPECT_EQ(shell("weft predict m.weft rows.csv --out /dev/fd/3 3> third"), 0);
  EXPECT_EQ(text("third"), predictions());
  EXPECT_EQ(shell("weft predict m.weft rows.csv --out /dev/fd/7 2> err"), 1);
  EXPECT_NE(text("err").find("Bad file descriptor"), std::string::npos) << text("err");
}

TEST_F(OutputFiles, AFullDiskOnStandardOutputIsReported) {
  for (const char* command : {"weft --help",
                              "weft train --help",
                              "weft version",
                              "weft families",
                              "weft info m.weft",
                              "weft info m.weft --json",
                              "weft constants --dim 3",
                              "weft evaluate m.weft rows.csv",
                              "weft evaluate m.weft rows.csv --json",
                              "weft predict m.weft rows.csv",
                              "weft generate moons --rows 3",
                              "weft generate moons --rows 100000",
                              "weft features rows.csv --features 3",
                              "weft kernel rows.csv rows.csv",
                              "weft train rows.csv --target x0 --features 5",
                              "weft train rows.csv --target x0 --features 5 --json",
                              "weft prune m.weft rows.csv --features 4 --out s.weft",
                              "weft certify m.weft rows.csv",
                              "weft leverage rows.csv --target x0 --candidates 20",
                              "weft explain m.weft rows.csv",
                              "weft explain m.weft rows.csv --row 3 --json",
                              "weft tune rows.csv --target x0 --family rw-sign --features 5 --configurations 2",
                              "weft train rows.csv --target x0 --print-config",
                              "weft completion fish",
                              "weft man",
                              "weft predict m.weft rows.csv --out /dev/stdout"}) {
    if (std::string(command).ends_with("/dev/stdout")) {
      EXPECT_EQ(shell(std::string(command) + " > /dev/full 2> err"), 1);
    } else {
      expect_full(command);
    }
  }
}

TEST_F(OutputFiles, AFullDiskOnStandardErrorChangesNothingElse) {
  EXPECT_EQ(shell("weft info none.weft 2> /dev/full"), 1);
  EXPECT_EQ(shell("weft predict m.weft rows.csv > out 2> /dev/full"), 0);
  EXPECT_EQ(text("out"), predictions());
}

TEST_F(OutputFiles, AClosedStandardOutputTakesNoFilesNumber) {
  EXPECT_EQ(shell("weft train rows.csv --target x0 --features 10 --model c.weft >&- 2> err"), 1);
  EXPECT_NE(text("err").find("standard output"), std::string::npos) << text("err");
  EXPECT_EQ(weft_out({"predict", "c.weft", "rows.csv"}), predictions());
  EXPECT_EQ(shell("weft predict m.weft rows.csv --out quiet.csv <&- 2>&-"), 0);
  EXPECT_EQ(text("quiet.csv"), predictions());
}

TEST_F(OutputFiles, TheTablesAreNotOverwritten) {
  fs::create_symlink("rows.csv", folder() / "link.csv");
  fs::create_hard_link(folder() / "rows.csv", folder() / "hard.csv");
  write("test.csv", text("rows.csv"));
  for (const char* name : {"rows.csv", "./rows.csv", "link.csv", "hard.csv"})
    for (const char* option : {"--model", "--report"})
      expect_kept({"train", "rows.csv", "--target", "x0", option, name}, {option, name, "the table", "another name"});
  expect_kept({"train", "link.csv", "--target", "x0", "--model", "hard.csv"}, {"--model:", "the table"});
  expect_kept({"train", "rows.csv", "--target", "x0", "--test", "test.csv", "--model", "test.csv"}, {"the test table"});
  expect_kept({"train", "rows.csv", "--target", "x0", "--unlabelled", "test.csv", "--report", "test.csv"},
              {"--report:", "--unlabelled"});
  expect_kept({"train", "rows.csv", "--target", "x0", "--fit", "sfgd", "--checkpoint", "rows.csv"}, {"--checkpoint:"});
  expect_kept({"tune", "rows.csv", "--target", "x0", "--model", "rows.csv"}, {"--model:", "the table"});
  expect_kept({"train", "rows.csv", "--target", "x0", "--model", "same", "--report", "./same"},
              {"--report:", "--model"});
  expect_kept({"predict", "m.weft", "rows.csv", "--out", "link.csv"}, {"--out:", "the table"});
  expect_kept({"predict", "m.weft", "-", "--out", "rows.csv"}, {"--out:", "the table"}, path("rows.csv"));
  expect_kept({"predict", "m.weft", "rows.csv", "--out", "m.weft"}, {"--out:", "the model"});
  expect_kept({"prune", "m.weft", "rows.csv", "--out", "hard.csv"}, {"--out:", "the table"});
  expect_kept({"prune", "m.weft", "rows.csv", "--test", "test.csv", "--out", "test.csv"}, {"the test table"});
  expect_kept({"features", "rows.csv", "--out", "rows.csv"}, {"--out:", "the table"});
  expect_kept({"features", "rows.csv", "--save-centres", "rows.csv"}, {"--save-centres:", "the table"});
  expect_kept({"features", "rows.csv", "--centres", "test.csv", "--out", "test.csv"}, {"--out:", "--centres"});
  expect_kept({"kernel", "test.csv", "rows.csv", "--out", "rows.csv"}, {"--out:", "the second table"});
  expect_kept({"leverage", "rows.csv", "--out", "rows.csv"}, {"--out:", "the table"});
  expect_kept({"activation", "m.weft", "--report", "m.weft"}, {"--report:", "the model"});
  expect_kept({"explain", "m.weft", "rows.csv", "--report", "hard.csv"}, {"--report:", "the table"});
  expect_kept({"evaluate", "m.weft", "rows.csv", "--report", "link.csv"}, {"--report:", "the table"});
}

TEST_F(OutputFiles, StandardOutputIsNotTheTableEither) {
  const std::string rows = text("rows.csv");
  EXPECT_EQ(shell("weft predict m.weft rows.csv >> rows.csv 2> err"), 1);
  EXPECT_NE(text("err").find("the table"), std::string::npos) << text("err");
  EXPECT_EQ(text("rows.csv"), rows);
}

}  // namespace

}  // namespace weft::testing
