// Options in a file: the part of TOML that options need. CLI11's own reader cuts quoted values at a '#' and knows no
// line numbers.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

struct ConfigEntry {
  std::string section;  ///< the command; empty before the first section: every command
  std::string key;      ///< of the option, without dashes in front
  std::vector<std::string> values;
  std::string place;  ///< file:line
};

/// Lines `key = value`, `[section]` and comments. A value is a string in quotes, a word such as 0.25 or true, or an
/// array of these in one line. Throws weft::Error with the line where it finds anything else, or a key twice.
std::vector<ConfigEntry> read_config(const std::string& path);

/// A line that read_config reads as it was.
std::string config_line(const std::string& key, const std::vector<std::string>& values);

}  // namespace weft::cli
