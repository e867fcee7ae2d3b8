// A table with every kind of column and several targets, and rows for predictions that no table should have.
#pragma once

#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::testing {

class HostileTable {
 public:
  static constexpr const char* kSize = "si\"ze */ of ?\?/ it";  // would end texts, comments and lines
  using Row = std::vector<std::string>;

  /// spelled: strange cells whose categories are spelled as in training and whose dates are plain.
  enum class Cells { ordinary, spelled, strange };

  HostileTable(int rows, unsigned seed, Cells cells) : random_(seed) {
    for (int i = 0; i < rows; ++i) {
      rows_.push_back(ordinary());
      if (cells != Cells::ordinary) spoil(rows_.back(), cells == Cells::strange);
    }
  }

  static const Row& names() {
    static const Row all = {"age",   kSize, "flag", "day",  "city", "code", "zip",
                            "empty", "y",   "z",    "kind", "up",   "count"};
    return all;
  }

  std::string csv() const {
    std::string text = line(names());
    for (const Row& row : rows_) text += line(row);
    return text;
  }

  /// Objects of cells without the blanks around them, as readers see them.
  std::string json() const {
    nlohmann::json all = nlohmann::json::array();
    for (const Row& row : rows_) {
      nlohmann::json object = nlohmann::json::object();
      for (std::size_t c = 0; c < row.size(); ++c) object[names()[c]] = trimmed(row[c]);
      all.push_back(object);
    }
    return all.dump();
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double normal() { return std::normal_distribution<double>(0, 1)(random_); }
  const std::string& one_of(const Row& texts) {
    return texts[std::min(texts.size() - 1, static_cast<std::size_t>(uniform() * static_cast<double>(texts.size())))];
  }

  template <class... Values>
  static std::string format(const char* pattern, Values... values) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
  }

  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
  }

  static std::string line(const Row& cells) {
    std::string text;
    for (const std::string& cell : cells) {
      std::string quoted;
      for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
      const bool needs_quotes = cell.find_first_of(",\"\n") != std::string::npos;
      text += (needs_quotes ? "\"" + quoted + "\"" : cell) + ",";
    }
    text.back() = '\n';
    return text;
  }

  Row ordinary() {
    const double age = 40 + 12 * normal(), size = std::exp(normal());
    const bool flag = uniform() < 0.5;
    const int month = 1 + static_cast<int>(12 * uniform()), day = 1 + static_cast<int>(28 * uniform());
    const int code = std::min(199, static_cast<int>(-60 * std::log(1 - uniform())));
    const std::string city = one_of({"Berlin", "Zürich", "New York, NY", "say \"hi\"", "東京", "O'Hara"});
    const double y = std::sin(age / 10) + (flag ? std::min(size, 5.0) : 0) + static_cast<double>(city.size()) / 5 +
                     month / 6.0 + code / 100.0 + 0.1 * normal();
    const char* kind = y < 3 ? "lo" : y < 4.5 ? "mid,\"q\"" : "hi";
    Row row = {format("%.4f", age),
               format("%.17g", size),
               flag ? "yes" : "no",
               format("%d-%02d-%02d %02d:%02d", 2019 + code % 3, month, day, code % 24, month * 4),
               city,
               format("c%03d", code),
               one_of({"1", "2", "10", "3.5"}),
               "",
               format("%.5f", y),
               format("%.5f", y * y - age / 20),
               kind,
               y > 3.5 ? "up" : "down",
               format("%d", static_cast<int>(y + 2 * uniform()))};
    for (const std::size_t c : {0, 2, 3, 4})
      if (uniform() < 0.05) row[c] = c == 3 ? "NA" : "";
    return row;
  }

  void spoil(Row& row, bool any_spelling) {
    static const std::map<std::size_t, Row> strange = {
        {0, {"1e300", "-1e300", "1e-300", "0", "-0", "1e15", "+3", "NaN", "null"}},
        {1, {"1e300", "-1e300", "5e-324", "", "-", "?"}},
        {2, {"YES", "No", "TRUE", "f", "1", "0", "0.5", "maybe", "", "NA", "-", "T"}},
        {3,
         {"2020-02-29", "1970-01-01", "0001-01-01T00:00Z", "9999-12-31T23:59:60.5+02:00", "1999-12-31t23:59:59,25-0330",
          "", "null", "2021-05-05 05:05 +02"}},
        {4, {"Atlantis", "", " Berlin ", "\"", "Zürich ", "ZÜRICH", "\n", "a,b", "Berl\\in", "?\?/"}},
        {5, {"nope", "c1", "", "c00000", "C001"}},
        {6, {"1.0", "3.50", "1e1", "99", "", "-0", "abc", "0x1", "inf", "2 "}}};
    static const std::map<std::size_t, Row> spelled = {
        {2, {"YES", "No", "TRUE", "f", "1", "0", "maybe", "", "NA", "-", "T"}},
        {3, {"2020-02-29", "1970-01-01", "", "null", "1969-12-31 23:59"}},
        {6, {"99", "", "abc"}}};
    const auto kind = static_cast<std::size_t>(10 * uniform());
    const auto& cells = !any_spelling && spelled.contains(kind) ? spelled : strange;
    if (const auto found = cells.find(kind); found != cells.end()) row[kind] = one_of(found->second);
    if (kind == 9 && uniform() < 0.5) row.assign(row.size(), "");
  }

  std::mt19937_64 random_;
  std::vector<Row> rows_;
};

}  // namespace weft::testing
