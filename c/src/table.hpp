// A table of the caller's columns as data to read.
#pragma once

#include "../weft.h"

#include <weft/data.hpp>

namespace weft::c {

/// The memory must outlive the result.
Data data_of(const weft_table& table, const ReadOptions& options);

}  // namespace weft::c
