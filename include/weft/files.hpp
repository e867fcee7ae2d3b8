// Tables in several files.
#pragma once

#include <weft/data.hpp>

#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// The files that a pattern such as "part-*.csv.gz" stands for (*, ? and […]), by name. A path that exists, that has
/// none of these characters, or that is no file at all (-, builtin:, a database) stands for itself. Throws where no
/// file matches.
std::vector<std::string> matching_files(const std::string& pattern);

/// The rows of several tables, one table after the other, with the columns, options and name of the first: those of the
/// others are found by their names. Throws, when it reads them, where a column is missing or holds texts in some and
/// numbers in others. weft::read does this for patterns.
Data concatenate(std::vector<Data> tables);
/// The same under another name, with the columns of a table that need not be among them.
Data concatenate(std::vector<Data> tables, const Data& like, std::string name);

}  // namespace weft
