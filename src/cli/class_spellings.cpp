#include "cli/class_spellings.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::cli {

namespace {

std::string without_case_and_spaces(const std::string& label) {
  std::string key;
  for (const char c : label)
    if (c != ' ' && c != '_') key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return key;
}

}  // namespace

std::string spelling_note(const TargetInfo& target) {
  std::map<std::string, std::vector<std::string>> spellings;
  for (const std::string& label : target.classes) spellings[without_case_and_spaces(label)].push_back(label);
  std::vector<std::string> groups;
  for (const auto& [key, labels] : spellings)
    if (labels.size() > 1) groups.push_back(fmt::format("{}", fmt::join(labels, ", ")));
  if (groups.empty()) return "";
  return fmt::format(
      "target {}: classes that differ in case or spaces only are counted as different: {}; write each "
      "in one way if they are the same",
      target.names.front(), fmt::join(groups, "; "));
}

}  // namespace weft::cli
