// Tables of the command line.
#pragma once

#include <weft/data.hpp>
#include <weft/run.hpp>

#include <string>

namespace weft::cli {

/// weft::read; run.warn() gets one line where the file was found to be written in an unusual way.
Data read_table(const std::string& path, const ReadOptions& options, const Run& run);

}  // namespace weft::cli
