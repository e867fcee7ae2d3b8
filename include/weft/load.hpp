// Small tables, completely in memory.
#pragma once

#include <weft/encoder.hpp>

namespace WEFT_PUBLIC weft {

/// All encoded inputs of a table: inputs × rows.
Matrix load_inputs(const Encoder& encoder, const Data& data, const Run& run = {});

/// A table of numbers, not encoded: rows × columns. Text or missing cells are errors.
Matrix load_numbers(const std::string& path);

}  // namespace weft
