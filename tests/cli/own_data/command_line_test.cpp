// Help, versions, suggestions, options in files, completion and the manual page.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

class CommandLine : public WeftTest {
 protected:
  /// What a shell prints; "missing" where there is no such shell.
  std::string shell(const std::string& program, const std::string& script) const {
    write("script", script);
    const std::string command = "command -v " + program + " >/dev/null || { echo missing; exit; }; " + program + " " +
                                path("script") + " 2>&1; echo status $?";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    ::pclose(pipe);
    return text;
  }
  static bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }
};

TEST_F(CommandLine, HelpIsShortAndHelpAllIsComplete) {
  const std::string few = weft_out({"train", "--help"});
  const std::string all = weft_out({"train", "--help-all"});
  for (const char* option : {"--target", "--model", "--report", "--test", "--holdout", "--auto", "--fast", "--fit",
                             "--json", "--minutes", "--config", "--help-all"}) {
    EXPECT_TRUE(has(few, option)) << option;
    EXPECT_TRUE(has(all, option)) << option;
  }
  for (const char* option : {"--landmark-sampling", "--sampling-rho", "--labels-per-class", "--print-config"}) {
    EXPECT_FALSE(has(few, std::string("\n  ") + option)) << option;
    EXPECT_TRUE(has(all, std::string("\n  ") + option)) << option;
  }
  EXPECT_TRUE(has(few, "more options: weft train --help-all")) << few;
  EXPECT_LT(std::count(few.begin(), few.end(), '\n'), 45) << few;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ")) {
      EXPECT_LE(line.size(), 125u) << line;
    }
}

TEST_F(CommandLine, HelpIsACommandToo) {
  EXPECT_EQ(weft_out({"help"}), weft_out({"--help"}));
  EXPECT_EQ(weft_out({"help", "train"}), weft_out({"train", "--help"}));
  EXPECT_EQ(weft_out({"help", "train", "--all"}), weft_out({"train", "--help-all"}));
  expect_refused({"help", "trian"}, {"'trian'", "did you mean train?", "see weft --help"});
}

TEST_F(CommandLine, VersionIsAnOptionToo) {
  EXPECT_EQ(weft_out({"--version"}), weft_out({"version"}));
}

TEST_F(CommandLine, ScalingOfTheDefaultIsExplained) {
  const std::string all = weft_out({"train", "--help-all"});
  EXPECT_TRUE(has(all.substr(all.find("--scale")), "the portfolio tries")) << all;
}

TEST_F(CommandLine, MistypedWordsGetASuggestion) {
  expect_refused({"trian"}, {"'trian'", "did you mean train? see weft --help"});
  expect_refused({"eval"}, {"did you mean evaluate?"});
  expect_refused({"--verson"}, {"unknown option --verson", "did you mean --version?"});
  expect_refused({"train", "x.csv", "--taget", "y"}, {"--taget", "did you mean --target? see weft train --help"});
  expect_refused({"train", "x.csv", "--taget=y"}, {"unknown option --taget;", "--target"});
  expect_refused({"train", "--traget"}, {"did you mean --target?"});  // not: data is required
  expect_refused({"predict", "m", "x.csv", "--prob"}, {"did you mean --proba?"});
  for (const char* far : {"weave", "xyz"}) EXPECT_FALSE(has(weft({far}).err, "did you mean")) << far;
  EXPECT_FALSE(has(weft({"features", "x.csv", "--bogus"}).err, "did you mean"));
}

TEST_F(CommandLine, PrintedConfigurationIsReadAsItWas) {
  const Words awkward = {"train",        "my \"data\".csv",
                         "--target",     "a # b, 'c' \\ d\te",
                         "--drop",       "x=1,[y],é",
                         "--holdout",    "0.25",
                         "--auto",       "--no-bias",
                         "--seed",       "7",
                         "--lambda",     "1e-3",
                         "--max-memory", "007",
                         "--weights",    "true",
                         "--quiet"};
  const auto printed = [&](Words arguments, const std::string& file) {
    arguments.push_back("--print-config");
    write(file, weft_out(arguments));
    return text(file);
  };
  const std::string first = printed(awkward, "a.toml");
  EXPECT_EQ(printed({"train", "--config", "a.toml"}, "b.toml"), first);
  EXPECT_TRUE(first.starts_with("[train]\n")) << first;
  for (const char* line : {"\nholdout = 0.25\n", "\nauto = true\n", "\nno-bias = true\n", "\nseed = 7\n",
                           "\nmax-memory = \"007\"\n", "\nlambda = 1e-3\n"})
    EXPECT_TRUE(has(first, line)) << line << "in\n" << first;
  EXPECT_FALSE(has(first, "print-config"));
  // Several values.
  const std::string several = printed({"leverage", "x.csv", "--lambdas", "1e-2,1e-4"}, "c.toml");
  EXPECT_TRUE(has(several, "lambdas = [1e-2, 1e-4]\n")) << several;
  EXPECT_EQ(printed({"leverage", "--config", "c.toml"}, "d.toml"), several);
  EXPECT_EQ(printed({"train"}, "e.toml"), "[train]\n");
}

TEST_F(CommandLine, ConfigurationStandsForOptions) {
  weft_out({"generate", "friedman1", "--rows", "200", "--out", "t.csv"});
  write("c.toml",
        "features = 999  # for all commands; the section comes first\n"
        "[predict]\nproba = true\n\n[train]\ndata = 't.csv'\ntarget = \"target\"\nfeatures = 30\n"
        "json = true\nfast = false\nlambda_holdout = 0.3\n");
  const auto answer = [&](const Words& arguments) {
    auto json = nlohmann::json::parse(weft_out(arguments));
    json.erase("seconds");
    json.erase("peak_memory");
    return json;
  };
  const Words options = {"train", "t.csv", "--target", "target", "--json", "--lambda-holdout", "0.3"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), options.begin(), options.end());
    return more;
  };
  EXPECT_EQ(answer({"train", "--config", "c.toml"}), answer(with({"--features", "30"})));
  EXPECT_EQ(answer({"train", "--config", "c.toml", "--features", "20"}), answer(with({"--features", "20"})));
}

TEST_F(CommandLine, MistakesInConfigurationsAreNamed) {
  const auto refuse = [&](const std::string& text, const Words& words) {
    write("c.toml", text);
    expect_refused({"train", "x.csv", "--config", "c.toml"}, words);
  };
  refuse("[train]\ntarget = \"y\"\nholdot = 0.1\n", {"c.toml:3", "--holdot", "did you mean --holdout?"});
  refuse("[trian]\ntarget = \"y\"\n", {"c.toml:2", "trian", "did you mean train?"});
  refuse("target = \"y\n", {"c.toml:1", "no end"});
  refuse("target\n", {"c.toml:1", "'='"});
  refuse("target = \"y\" z\n", {"c.toml:1", "'z'"});
  refuse("target = \"y\"\ntarget = \"z\"\n", {"c.toml:2", "before", "c.toml:1"});
  refuse("auto = 3\n", {"c.toml:1", "--auto", "true or false"});
  refuse("holdout = \"much\"\n", {"--holdout", "much"});
  refuse("[predict]\nproba = true\n", {"c.toml", "[train]"});
  expect_refused({"train", "x.csv", "--config", "none.toml"}, {"none.toml", "--print-config"});
}

TEST_F(CommandLine, QuietAndVerbose) {
  const Words train = {"train", "builtin:friedman1:rows=200", "--target", "target", "--fast", "--model", "m.weft"};
  const auto with = [&](const char* option) {
    Words words = train;
    words.emplace_back(option);
    return weft_out(words);
  };
  EXPECT_EQ(with("--quiet"), "");
  const std::string normal = weft_out(train);
  const std::string verbose = with("--verbose");
  EXPECT_TRUE(has(normal, "lambda")) << normal;
  for (const char* word : {"reciprocal_condition", "relative_residual", "solve time"}) {
    EXPECT_FALSE(has(normal, word)) << normal;
    EXPECT_TRUE(has(verbose, word)) << verbose;
  }
  EXPECT_TRUE(has(with("--json"), "reciprocal_condition"));
  EXPECT_NE(weft_out({"evaluate", "m.weft", "builtin:friedman1:rows=200", "--quiet"}), "")
      << "its answer is its output";
  expect_refused({"version", "--quiet", "--verbose"}, {"--quiet", "--verbose"});
}

TEST_F(CommandLine, BashCompletes) {
  write("weft.bash", weft_out({"completion", "bash"}));
  const auto completed = [&](const std::string& words) {
    return shell("bash", "source " + path("weft.bash") + "\nCOMP_WORDS=(" + words +
                             ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_weft\necho \"${COMPREPLY[*]}\"\n");
  };
  EXPECT_EQ(completed("weft tr"), "train\nstatus 0\n");
  EXPECT_EQ(completed("weft train x.csv --hold"), "--holdout\nstatus 0\n");
  EXPECT_EQ(completed("weft train x.csv --scale st"), "standard\nstatus 0\n");
  EXPECT_EQ(completed("weft train --fit port"), "portfolio\nstatus 0\n");
  EXPECT_EQ(completed("weft completion fi"), "fish\nstatus 0\n");
  EXPECT_EQ(completed("weft help pr"), "predict prune\nstatus 0\n");
  EXPECT_EQ(completed("weft train x"), "\nstatus 0\n");  // files, by bash itself
}

TEST_F(CommandLine, OtherShellsReadTheirScripts) {
  for (const std::string name : {"zsh", "fish"}) {
    const std::string script = weft_out({"completion", name});
    EXPECT_TRUE(has(script, "--landmark-sampling") || has(script, "-l landmark-sampling")) << name;
    const std::string said = shell(name, (name == "zsh" ? "compdef() {}\n" : "") + script);
    EXPECT_TRUE(said == "missing\n" || said == "status 0\n") << name << ": " << said;
  }
  const std::string offered = shell("fish", weft_out({"completion", "fish"}) + "complete -C 'weft train --scale st'\n");
  EXPECT_TRUE(offered == "missing\n" || has(offered, "standard")) << offered;
  expect_refused({"completion", "tcsh"}, {"'tcsh'", "bash, zsh or fish"});
}

TEST_F(CommandLine, ManualPageHasEveryOption) {
  write("weft.1", weft_out({"man"}));
  const std::string said = shell("groff", "");  // whether there is one
  EXPECT_TRUE(text("weft.1").starts_with(".TH WEFT 1 "));
  EXPECT_TRUE(has(text("weft.1"), "\n.B \\-\\-landmark\\-sampling TEXT\n"));
  if (said == "missing\n") return;
  const std::string page = shell("bash", "groff -k -man -Tutf8 -ww " + path("weft.1") + " | col -b");
  EXPECT_TRUE(has(page, "--landmark-sampling TEXT")) << page.substr(0, 2000);
  EXPECT_TRUE(page.ends_with("status 0\n"));
  EXPECT_FALSE(has(page, "warning")) << page.substr(0, 2000);
}

TEST_F(CommandLine, DemoShowsTheDefault) {
  EXPECT_TRUE(has(weft_out({"demo", "--rows", "200", "--features", "20"}), "default (portfolio)"));
}

}  // namespace

}  // namespace weft::testing
