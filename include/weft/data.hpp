// Reading: files, arrays and built-in data sets, all as sequences of blocks of rows.
#pragma once

#include <weft/error.hpp>
#include <weft/fields.hpp>
#include <weft/inputs.hpp>
#include <weft/matrix.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

enum class FileFormat { automatic, csv, tsv, libsvm, npy, idx, npz };
constexpr auto choice_names(FileFormat) {
  return std::array{"auto", "csv", "tsv", "libsvm", "npy", "idx", "npz"};
}

enum class HeaderLine { automatic, yes, no };
constexpr auto choice_names(HeaderLine) {
  return std::array{"auto", "yes", "no"};
}

enum class DecimalMark { automatic, point, comma };
constexpr auto choice_names(DecimalMark) {
  return std::array{"auto", ".", ","};
}

enum class TextEncoding { automatic, utf_8, utf_16, windows_1252 };
constexpr auto choice_names(TextEncoding) {
  return std::array{"auto", "utf-8", "utf-16", "windows-1252"};
}

/// Which rows belong together, or come first, wherever rows are held out or dealt to folds: a column that says so,
/// which is not an input. At most one is given.
struct RowRuleOptions {
  std::string folds_column = "";
  std::string group = "";
  std::string time = "";
  bool time_input = false;

  static auto fields() {
    using O = RowRuleOptions;
    return std::tuple{
        Field{"folds_column", &O::folds_column, Allowed::anything(),
              "column that names the fold of every row; whole folds are held out. It is not an input"},
        Field{"group", &O::group, Allowed::anything(),
              "column of groups (patients, shops): rows of a group are held out together; it is not an input"},
        Field{"time", &O::time, Allowed::anything(),
              "column of times (numbers, ISO dates): later rows are held out of earlier ones; it is not an input"},
        Field{"time_input", &O::time_input, Allowed::anything(), "use the column of ‹time› as an input too"},
    };
  }

  /// The option that is given, "folds_column", "group" or "time", and its column; both empty where none is.
  std::string name() const {
    return !group.empty() ? "group" : !time.empty() ? "time" : folds_column.empty() ? "" : "folds_column";
  }
  const std::string& column() const { return !group.empty() ? group : !time.empty() ? time : folds_column; }
};
/// Throws where two of them are given, or time_input without time.
void check_rule(const RowRuleOptions& options);

struct ReadOptions {
  std::string target = "";  // comma-separated names or 0-based indices
  FileFormat format = FileFormat::automatic;
  HeaderLine header = HeaderLine::automatic;
  std::string drop = "";
  std::string categorical = "";
  std::string weights = "";
  std::string na_values = "";
  std::string delimiter = "";
  DecimalMark decimal = DecimalMark::automatic;
  TextEncoding encoding = TextEncoding::automatic;
  std::string comment = "";
  Index skip_rows = 0;
  std::string query = "";
  RowRuleOptions rule = {};  ///< for fits and searches

  static auto fields() {
    using O = ReadOptions;
    return std::tuple{
        Field{"target", &O::target, Allowed::anything(),
              "target column, by name or 0-based index (-1: the last); several are separated by commas"},
        Field{"format", &O::format, "file format; auto: detected from the name and the content"},
        Field{"header", &O::header, "whether the first line of a CSV or TSV file names the columns"},
        Field{"drop", &O::drop, Allowed::anything(), "columns to leave out, by name or index, separated by commas"},
        Field{"categorical", &O::categorical, Allowed::anything(),
              "numeric columns to treat as categories, by name or index, separated by commas"},
        Field{"weights", &O::weights, Allowed::anything(), "column of non-negative sample weights"},
        Field{"na_values", &O::na_values, Allowed::anything(),
              "cells of CSV and TSV files that are missing, separated by commas, in text columns too; empty cells are, "
              "and in numeric columns NA, N/A, NaN, null, None, ?, -, ., #N/A and \\N"},
        Field{"delimiter", &O::delimiter, Allowed::anything(),
              "what separates the cells of a CSV file: one character, tab, or space for any number of blanks; if it is "
              "not given, comma, semicolon, tab, | or blanks as found"},
        Field{"decimal", &O::decimal,
              "decimal mark of a CSV or TSV file; auto: the comma where it separates no cells and numbers show it"},
        Field{"encoding", &O::encoding,
              "encoding of a CSV or TSV file; auto: UTF-8, UTF-16 where the file begins with its mark, or Windows-1252 "
              "where the first MiB is not UTF-8; utf-8 takes the bytes as they are"},
        Field{"comment", &O::comment, Allowed::anything(),
              "lines of a CSV or TSV file that begin with this are skipped; if it is not given, those with # above the "
              "table"},
        Field{"skip_rows", &O::skip_rows, Allowed::at_least(0), "lines to skip at the start of a CSV or TSV file"},
        Field{"query", &O::query, Allowed::anything(),
              "SELECT whose rows are read, where the data are a database without ?table=NAME"},
    };
  }
};

/// A column of a table as read. Text columns hold codes: positions in the reader's dictionary of that column.
struct Column {
  std::string name;
  bool text = false;
  bool categorical = false;  ///< text because ReadOptions::categorical says so
};

/// A few thousand rows as read. Missing cells are NaN. The memory belongs to the reader until its next call.
struct RawBlock {
  View<const double> columns;  ///< columns × rows: the cells of one column are contiguous
  Index first_row = 0;         ///< 0-based number of the block's first data row
  Index rows() const { return columns.cols; }
};

/// One pass over a table.
class RowReader {
 public:
  virtual ~RowReader() = default;
  virtual const std::vector<Column>& columns() const = 0;
  /// The distinct texts of a text column seen so far, by code; grows while reading.
  virtual const std::vector<std::string>& dictionary(Index column) const = 0;
  /// Reads up to max_rows rows, fewer if they would not fit into a block; false at the end.
  virtual bool next(RawBlock& block, Index max_rows) = 0;
  /// Skips the next rows, at most as many as are left.
  virtual void skip(Index rows);
  /// "file:line:column" of a cell of the block last read (row counted within it), for messages: lines and columns of
  /// the file, dropped ones included, counted from 1. Files without lines count rows.
  virtual std::string place(Index row_in_block, Index column) const = 0;
  /// Called before the first row is read: delivers these columns as text. A column that was text in training must stay
  /// text even if these rows look like numbers. Readers whose files hold no text ignore it.
  virtual void read_as_text(const std::vector<std::string>& /*columns*/) {}
  /// Called before the first row is read: cells of other columns may be delivered as missing without having been looked
  /// at.
  virtual void need_only(const std::vector<std::string>& /*columns*/) {}
  /// Called before the first row is read: the cells of these columns are also kept as the file writes them. Readers of
  /// binary files ignore it.
  virtual void keep_written(const std::vector<std::string>& /*columns*/) {}
  /// Called before the first row is read: next() may share its work among so many threads. Readers of text ignore it.
  virtual void use_threads(int /*threads*/) {}
  /// The cells of such a column in the block last read; null where they were not kept.
  virtual const std::vector<std::string>* written(const std::string& /*column*/) const { return nullptr; }
  /// Whether missing columns are zero, as in sparse formats.
  virtual bool absent_is_zero(const std::string& /*column*/) const { return false; }
  /// How much of the input has been read, 0 … 1; negative when unknown.
  virtual double fraction() const = 0;
};

/// For readers: body(first, count) for pieces of `rows` rows with `columns` cells each, which up to `threads` threads
/// share where that is worth it.
void share_rows(Index columns, Index rows, int threads, const std::function<void(Index first, Index count)>& body);

/// A table that can be read any number of times (standard input: once). Cheap to copy.
///
/// A file is parsed at most twice, however often it is read and by how many copies: the rows parsed by the second pass
/// are kept for later ones, up to 64 MiB in memory and the rest in a temporary file without a name ($TMPDIR, /var/tmp
/// or /tmp). Where that file cannot be written, later passes parse again.
class Data {
 public:
  using Opener = std::function<std::unique_ptr<RowReader>()>;
  Data(std::string name, ReadOptions options, Opener open)
      : name_(std::move(name)), options_(std::move(options)), open_(std::move(open)) {}

  const std::string& name() const { return name_; }
  const ReadOptions& options() const { return options_; }
  std::unique_ptr<RowReader> open() const { return open_(); }

  /// The rows begin … end-1 (fewer where there are fewer) as a separate table, with rows counted from 0; messages still
  /// name the position in this table.
  Data rows(Index begin, Index end) const;

 private:
  std::string name_;
  ReadOptions options_;
  Opener open_;
};

/// A file (CSV, TSV, LIBSVM, .npy, IDX; gzip or not; .npz), "-" for standard input, a table or query of a database
/// (weft/database.hpp; its rows are read once and kept for later passes), or "builtin:NAME[:rows=…,seed=…,noise=…]".
/// Opens it once to check that it can be read.
///
/// The options of the result are resolved: positions of targets and weights, which count the columns of the file,
/// become names; an empty target becomes "target" (or "target0,target1,…") where LIBSVM, IDX or built-in data have it;
/// delimiter, decimal mark, encoding and lines to skip are those found where they are not as usual (comma or, in TSV,
/// tab; point; UTF-8; none). CSV and TSV columns are text when more than a tenth of the cells in the first 1000 rows
/// (or the first MiB) are neither numbers nor missing (empty, NA, N/A, NaN, null, None, ?, -, ., #N/A, \N, na_values);
/// a text in another column is an error. In text columns the empty cell and na_values are missing.
Data read(const std::string& path, const ReadOptions& options = {});

/// Plain arrays: x is m × n, y is m × targets (or empty), weights m × 1 (or empty). The memory is owned by the caller
/// and not copied. Columns are named x0 … and target (target0 … when several).
Data array(View<const double> x, View<const double> y = {}, View<const double> weights = {});

/// The rows of a table for which keep(row) holds, rows counted from 0; messages still name their place in the table.
Data select_rows(const Data& data, std::function<bool(Index row)> keep);
/// The rows whose mark equals the given one; one mark per row.
Data select_rows(const Data& data, std::vector<std::uint8_t> marks, std::uint8_t wanted);

/// Columns that go along with a table's rows while something else reads them: names beside predictions. Their cells are
/// texts as the file writes them, numbers of binary files in their shortest form, and "" for a missing number.
class CarriedColumns {
 public:
  /// `list`: names or 0-based positions, separated by commas.
  CarriedColumns(const Data& data, const std::string& list);
  /// To be read once in place of the given table. Opening it throws where a column is not there.
  const Data& data() const { return data_; }
  const std::vector<std::string>& names() const;  ///< known when the table has been opened
  /// The cells of the next rows that were read: rows × columns.
  std::vector<std::vector<std::string>> take(Index rows);

  struct State;

 private:
  std::shared_ptr<State> state_;
  Data data_;
};

/// The same table with a column of classes turned into 1 (that class) and 0 (any other). The class is written as in the
/// table; a number may be written differently (1.0 for 1).
Data one_against_rest(const Data& data, const std::string& column, const std::string& positive);

struct GenerateOptions {
  Index rows = 1000;
  std::uint64_t seed = 1;
  double noise = 0.1;

  static auto fields() {
    using O = GenerateOptions;
    return std::tuple{
        Field{"rows", &O::rows, Allowed::at_least(1), "number of rows"},
        Field{"seed", &O::seed, Allowed::anything(), "random seed"},
        Field{"noise", &O::noise, Allowed::at_least(0), "standard deviation of the noise"},
    };
  }
};

/// Built-in data sets: friedman1, moons, spirals, checkerboard, gaussian-quantiles. The target column is "target".
Data generate(const std::string& name, const GenerateOptions& options = {});
std::vector<std::string> generator_names();

}  // namespace weft
