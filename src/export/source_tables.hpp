// The tables of a program as literals of C and JavaScript, which differ in their brackets and in some texts.
#pragma once

#include "export/program.hpp"

#include <string>
#include <vector>

namespace weft::detail {

struct SourceLanguage {
  bool script = false;  ///< JavaScript, else C or C++

  std::string number(double value) const;  ///< the shortest literal that reads back as the value
  std::string text(const std::string& bytes) const;
  std::string list(const std::vector<std::string>& items) const;  ///< broken into lines

  std::string numbers(const std::vector<double>& values) const;
  std::string integers(const std::vector<Index>& values) const;
  std::string texts(const std::vector<std::string>& values) const;

  std::string cells(const ScaleStep& step) const;
  std::string cells(const LevelTable& table) const;
  std::string cells(const DateTable& table) const;
  std::string cells(const LearnedStep& step) const;
  std::string cells(const FeatureGroup& group) const;
  std::string cells(const SectionGroup& group) const;
  std::string cells(const LeafStep& leaf) const;
  std::string cells(const SplitStep& split) const;
  std::string cells(const MemberStep& member) const;

  template <class Row>
  std::string table(const std::vector<Row>& rows) const {
    std::vector<std::string> items;
    for (const Row& row : rows) items.push_back(cells(row));
    return list(items);
  }
  /// One row.
  std::string row(const std::vector<std::string>& items) const;
};

}  // namespace weft::detail
