// The values by which rows in parts are held out (data/rows/rule_values.hpp), within a block file.
#pragma once

#include "core/block_file.hpp"
#include "data/rows/rule_values.hpp"
#include "train/stored_options.hpp"

namespace weft::detail {

/// OPTIONS of train/sums_files.cpp.
Json texts_json(const OptionTexts& texts);
OptionTexts texts_from(const Json& json);

/// Adds "rule" to the header of statistics, which must outlive the writing, and its blocks to the file; nothing where
/// there is none: such files are those of versions that knew no rules.
void store_rule_values(const RuleValues& rule, Json& header, BlockFileWriter& file);
/// Throws Error(model) where they are not those of so many rows.
RuleValues rule_values_from(const Json& header, Index rows, const BlockFileReader& file);

/// The same for "held_out" of a plan.
void store_held_out(const HeldOutValues& held, Json& plan, BlockFileWriter& file);
HeldOutValues held_out_from(const Json& plan, const BlockFileReader& file);

}  // namespace weft::detail
