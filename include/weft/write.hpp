// Writing tables: to a temporary file beside the target, renamed when it is complete. Nothing half-written is left
// behind. Symbolic links are followed; devices, pipes and names such as /dev/stdout are written in place.
#pragma once

#include <weft/matrix.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// What a database makes of a column. Of texts that are all numbers it makes numbers, unless some start with zeros that
/// a number loses.
enum class CellType { text, number, integer };

/// A table written in pieces, in the format that its name says: .csv, .tsv or NumPy's .npy (float64), compressed where
/// .gz follows; a name without an extension is CSV, "-" is CSV on standard output. A path of a database
/// (weft/database.hpp) is a table there: its rows are held in a temporary file without a name until commit() writes
/// them in one transaction.
class TableWriter {
 public:
  /// Throws immediately if the file cannot be written or its name ends in anything else. `types`: of the columns; all
  /// numbers where they are not given.
  TableWriter(const std::string& path, std::vector<std::string> columns, const std::vector<CellType>& types = {});
  /// CSV that is appended to a text, which must outlive the writer.
  TableWriter(std::string& text, std::vector<std::string> columns);
  ~TableWriter();  ///< removes the temporary file unless commit() was called
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) noexcept;

  void append(View<const double> rows);                                 ///< rows × columns
  void append_transposed(View<const double> columns_by_rows);           ///< columns × rows
  void append_text(const std::vector<std::vector<std::string>>& rows);  ///< not .npy
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes `contents` to a temporary and renames it to `path`.
void write_file(const std::string& path, const std::string& contents);

/// Throws if a file of that name cannot be written: a check before long jobs.
void check_writable(const std::string& path);
/// The same for a table, whose name must say its format.
void check_table_writable(const std::string& path);

/// The text with "?" for every character that a terminal would obey instead of show: control characters and marks that
/// change the direction of writing, which names and texts of a file may contain. Tabs stay, and line ends unless it is
/// one line.
std::string printable(const std::string& text, bool one_line = false);

/// Removes the temporary files of this process, by calls that a signal handler may make: for handlers that end it. What
/// a killed process leaves behind, the next one that writes a file of that name removes.
void remove_temporary_files() noexcept;

/// Throws if anything printed so far could not be written: a full disk shows only when the last bytes leave the buffer.
void flush_standard_output();

}  // namespace weft
