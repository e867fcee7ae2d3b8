// What the commands for tables in parts read and print.
#pragma once

#include <weft/sums.hpp>

#include <string>
#include <utility>
#include <vector>

namespace weft::cli {

/// Of all files, one after the other; an error names the file.
Sums merged_sums(const std::vector<std::string>& paths);

// `path`: the file written.
void print_statistics(const PartStatistics& statistics, const std::string& path, bool json);
void print_plan(const Plan& plan, const std::string& path, bool json);
void print_sums(const Sums& sums, const std::string& path, bool json);

/// What `weft info` says of them, by name.
using Lines = std::vector<std::pair<std::string, std::string>>;
Lines lines_of(const PartStatistics& statistics);
Lines lines_of(const Plan& plan);
Lines lines_of(const Sums& sums);
std::string json_of(const PartStatistics& statistics);

}  // namespace weft::cli
