// The blocks of README.md that follow a line "<!-- tested -->" work as they stand.
#include "cli/run_weft.hpp"

#include <utility>

namespace weft::testing {

namespace {

/// The lines of each fenced block after a marker, continuation lines joined.
std::vector<Words> tested_blocks(const std::string& readme) {
  std::vector<Words> blocks;
  std::istringstream lines(readme);
  std::string joined;
  bool marked = false;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (!inside && marked) blocks.emplace_back();
      inside = !inside && marked;
      marked = false;
    } else if (inside) {
      joined += line;
      if (joined.ends_with('\\')) {
        joined.pop_back();
        continue;
      }
      blocks.back().push_back(std::exchange(joined, ""));
    } else if (line == "<!-- tested -->") {
      marked = true;
    }
  }
  return blocks;
}

/// The arguments of a line that runs weft, up to a comment; empty for other lines.
Words weft_arguments(const std::string& line) {
  std::istringstream stream(line);
  std::string word;
  if (!(stream >> word) || std::filesystem::path(word).filename() != "weft") return {};
  Words arguments;
  while (stream >> word && !word.starts_with('#')) arguments.push_back(word);
  return arguments;
}

class Readme : public WeftTest {};

TEST_F(Readme, TestedBlocksWork) {
  const std::filesystem::path readme = std::filesystem::path(WEFT_TESTS).parent_path() / "README.md";
  if (!std::filesystem::exists(readme)) GTEST_SKIP() << "there is no README.md";
  int commands = 0;
  for (const Words& block : tested_blocks(file_text(readme)))
    for (const std::string& line : block) {
      const Words arguments = weft_arguments(line);
      if (arguments.empty()) continue;
      ASSERT_EQ(line.find_first_of("'\"|<>$*`"), std::string::npos) << "needs a shell: " << line;
      const Outcome outcome = weft(arguments);
      EXPECT_EQ(outcome.exit_code, 0) << line << "\n" << outcome.err;
      ++commands;
    }
  EXPECT_GT(commands, 0) << "no tested weft command in README.md";
}

}  // namespace

}  // namespace weft::testing
