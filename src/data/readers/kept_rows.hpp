// A file that is parsed at most twice: what the second pass parses is kept for the passes after it.
#pragma once

#include <weft/data.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace weft::detail {

/// Bytes of parsed rows held in memory; those beyond go to a temporary file.
inline constexpr std::size_t kKeptInMemory = std::size_t{1} << 26;

/// An opener like `open`, whose rows are parsed at most twice whatever is read, by how many readers, and how far: the
/// first pass leaves no trace, because many jobs make one only; the second is shared by all that follow. A reader that
/// delivers other columns as text (RowReader::read_as_text) parses for itself. `columns` are those of the file;
/// `passes`: that were made already.
Data::Opener keep_rows(Data::Opener open, std::vector<Column> columns, int passes = 0,
                       std::size_t in_memory = kKeptInMemory);

}  // namespace weft::detail
