// Tables of the command line.
#pragma once

#include <weft/distributed.hpp>
#include <weft/run.hpp>

#include <functional>
#include <string>

namespace weft::cli {

/// weft::read; run.warn() gets one line where the file was found to be written in an unusual way.
Data read_table(const std::string& path, const ReadOptions& options, const Run& run);

/// The files of a pattern, each opened by `open`, as a table whose rows these processes share.
SharedTable share_table(const std::string& pattern, const std::function<Data(const std::string& file)>& open,
                        Communicator& processes, const Run& run);

}  // namespace weft::cli
