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
  const std::filesystem::path readme = std::filesystem::path(testing::tests_folder()).parent_path() / "README.md";
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

/// The targets of [text](target) that are files of the tree.
Words links(const std::string& page) {
  Words found;
  for (std::size_t at = page.find("]("); at != std::string::npos; at = page.find("](", at + 1)) {
    const std::string target = page.substr(at + 2, page.find_first_of(")#", at) - at - 2);
    if (!target.empty() && target.find("://") == std::string::npos) found.push_back(target);
  }
  return found;
}

TEST_F(Readme, LinksLeadSomewhere) {
  const std::filesystem::path root = std::filesystem::path(testing::tests_folder()).parent_path();
  for (const char* name : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/speed.md", "docs/defaults.md",
                           "docs/real_data.md", "docs/certify.md"}) {
    const std::filesystem::path page = root / name;
    ASSERT_TRUE(std::filesystem::exists(page)) << name;
    for (const std::string& target : links(file_text(page)))
      EXPECT_TRUE(std::filesystem::exists(page.parent_path() / target)) << name << " links to " << target;
  }
}

}  // namespace

}  // namespace weft::testing
