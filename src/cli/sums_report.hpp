// What the commands for tables in parts read and print.
#pragma once

#include <weft/sums.hpp>

#include <string>
#include <vector>

namespace weft::cli {

/// Of all files, one after the other; an error names the file.
Sums merged_sums(const std::vector<std::string>& paths);

// `path`: the file written.
void print_statistics(const PartStatistics& statistics, const std::string& path, bool json);
void print_plan(const Plan& plan, const std::string& path, bool json);
void print_sums(const Sums& sums, const std::string& path, bool json);

}  // namespace weft::cli
