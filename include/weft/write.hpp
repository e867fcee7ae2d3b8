// Writing tables: to a temporary file beside the target, renamed when it is complete. Nothing half-written is left
// behind.
#pragma once

#include <weft/matrix.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// A table written in pieces: CSV, or NumPy .npy (float64) when the name ends in .npy; "-" is CSV on standard output.
class TableWriter {
 public:
  /// Throws immediately if the file cannot be written.
  TableWriter(const std::string& path, std::vector<std::string> columns);
  ~TableWriter();  ///< removes the temporary file unless commit() was called
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) noexcept;

  void append(View<const double> rows);                                 ///< rows × columns
  void append_transposed(View<const double> columns_by_rows);           ///< columns × rows
  void append_text(const std::vector<std::vector<std::string>>& rows);  ///< CSV only
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes `contents` to a temporary and renames it to `path`.
void write_file(const std::string& path, const std::string& contents);

/// Throws if a file of that name cannot be written: a check before long jobs.
void check_writable(const std::string& path);

}  // namespace weft
