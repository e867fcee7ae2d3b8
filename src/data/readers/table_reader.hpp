// A reader with the options drop and categorical applied that still knows all columns of its file.
#pragma once

#include <weft/data.hpp>

#include "data/readers/dictionary.hpp"

#include <memory>
#include <string>
#include <vector>

namespace weft::detail {

class TableReader : public RowReader {
 public:
  /// All columns of the file, also those left out: positions given by users count these.
  virtual const std::vector<Column>& file_columns() const = 0;
  /// Whether the first line of the file, which was read as data, has this cell: it may be the name of a column.
  virtual bool in_first_line(const std::string& /*name*/) const { return false; }
  /// Sets the options that say how the file is written where it is not as usual.
  virtual void resolve_dialect(ReadOptions& /*options*/) const {}
};

/// Resolves a comma-separated list of names and positions (or one whole name that has commas) to column positions.
std::vector<Index> find_columns(const std::vector<Column>& columns, const std::string& list, const std::string& option,
                                const std::string& place);

/// Which columns of a file are delivered, and where.
struct ColumnChoice {
  std::vector<Column> file_columns;
  std::vector<Column> columns;       ///< delivered, in the file's order
  std::vector<Index> file_position;  ///< of each delivered column
};

/// Applies options.drop and options.categorical; throws where they name no column or leave none.
ColumnChoice choose_columns(std::vector<Column> file_columns, const ReadOptions& options, const std::string& place);

/// Applies drop and categorical to any reader; hands its blocks through untouched when there is nothing to apply.
std::unique_ptr<TableReader> choose_columns(std::unique_ptr<RowReader> inner, const ReadOptions& options,
                                            const std::string& place);

}  // namespace weft::detail
