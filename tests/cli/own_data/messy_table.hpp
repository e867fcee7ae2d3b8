// A table as people have them: a number and a category with holes, a target that depends on both and on the holes.
#pragma once

#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weft::testing {

struct MessyTable {
  std::string hole = "";       ///< how a missing cell of a number is written
  std::string town_hole = "";  ///< and of a category
  bool holes = true;           ///< whether there are any
  std::string towns = "ABC";   ///< categories, one letter each
  int without_target = 0;      ///< rows
  int rows = 200;

  std::string text() const {
    std::string lines = "size,town,age,price\n";
    for (int i = 0; i < rows; ++i) {
      const bool hole_here = holes && i % 5 == 1;
      const double size = std::sin(i * 1.7);
      lines += hole_here ? hole : std::to_string(size);
      lines += ',';
      lines +=
          holes && i % 7 == 2 ? town_hole : std::string(1, towns[static_cast<std::size_t>(i * 5 / 3) % towns.size()]);
      lines += "," + std::to_string(i % 9) + ",";
      if (i >= without_target) lines += std::to_string((hole_here ? 3 : size) + 0.1 * (i % 9));
      lines += "\n";
    }
    return lines;
  }
};

/// Fits random features; gives what it prints and says.
class OwnData : public WeftTest {
 protected:
  Outcome train(Words more, const std::string& target = "price") const {
    Words arguments = {"train", "t.csv", "--target", target, "--fast", "--features", "60", "--model", "m.weft"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = weft(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }
  void refused(Words more, const Words& words, const std::string& target = "price") const {
    more.insert(more.begin(), {"train", "t.csv", "--target", target, "--fast", "--features", "20"});
    expect_refused(more, words);
  }
  static void expect_lines(const std::string& text, int lines) {
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), lines) << text;
  }
  static void expect_words(const std::string& text, const Words& words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
};

}  // namespace weft::testing
