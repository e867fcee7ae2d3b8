#include <weft/write.hpp>

#include <weft/database.hpp>
#include <weft/error.hpp>

#include "core/atomic_file.hpp"
#include "core/nameless_file.hpp"
#include "core/printable.hpp"
#include "core/temporary_file.hpp"
#include "data/database/database_table.hpp"
#include "data/gzip_writer.hpp"
#include "data/text.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

namespace weft {

using namespace detail;

namespace detail {

struct TableFormat {
  bool npy = false;
  char delimiter = ',';
  bool gzip = false;
};

}  // namespace detail

namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

TableFormat format_of(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  TableFormat format;
  format.gzip = name.ends_with(".gz");
  if (format.gzip) name.resize(name.size() - 3);
  const std::string extension = std::filesystem::path(name).extension();
  format.npy = extension == ".npy";
  if (extension == ".tsv" || extension == ".tab") format.delimiter = '\t';
  if (extension.empty() || extension == ".csv" || format.npy || format.delimiter == '\t') return format;
  throw Error(ErrorKind::option, fmt::format("tables are not written as {} files", extension), path,
              "give the file a name that ends in .csv, .tsv, .npy, .csv.gz, .tsv.gz or .npy.gz");
}

// Readers ignore blanks around a cell without quotes.
std::string quoted_cell(const std::string& text, char delimiter) {
  const bool blank = !text.empty() && trim(text).size() != text.size();
  if (!blank && text.find_first_of(std::string("\"\r\n") + delimiter) == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

// Version 1.0, padded to a fixed size so that it can be written again when the number of rows is known.
std::string npy_header(Index rows, Index columns) {
  constexpr std::size_t kHeaderBytes = 128;
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  text.resize(kHeaderBytes - 10 - 1, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() & 0xFF) +
         static_cast<char>(text.size() >> 8) + text;
}

[[noreturn]] void throw_standard_output(int code) {
  throw Error(ErrorKind::file,
              fmt::format("cannot be written{}", code == 0 ? "" : fmt::format(" ({})", std::strerror(code))),
              "standard output", "check that its disk has free space, or that the program reading the pipe still runs");
}

}  // namespace

struct TableWriter::State {
  std::vector<std::string> columns;
  TableFormat format;
  std::optional<DatabaseTable> table;  // instead of all that follows
  std::optional<AtomicFile> file;      // none: standard output, or
  std::string* text = nullptr;         // in memory
  std::optional<GzipWriter> gzip;      // before the file
  std::optional<NamelessFile> spool;   // the numbers of a .npy file whose first bytes cannot be written last
  Index rows = 0;
  bool terminal = ::isatty(STDOUT_FILENO) != 0;  // where labels of files must not act; files and pipes get the bytes
  fmt::memory_buffer buffer;

  void write_out(std::string_view bytes) {
    if (file) return file->write(bytes);
    if (text != nullptr) return static_cast<void>(text->append(bytes));
    const std::string shown = terminal ? printable_text(bytes, false) : std::string();
    const std::string_view sent = terminal ? shown : bytes;
    if (std::fwrite(sent.data(), 1, sent.size(), stdout) != sent.size()) throw_standard_output(errno);
  }

  void write(std::string_view bytes) {
    if (gzip)
      gzip->write(bytes);
    else
      write_out(bytes);
  }

  void flush() {
    if (!spool) {
      write({buffer.data(), buffer.size()});
    } else if (!spool->append({buffer.data(), buffer.size()})) {
      throw Error(ErrorKind::file,
                  "there is no space for the temporary file that a compressed or piped .npy file needs", "‹out›",
                  "set TMPDIR to a folder with more, or write .csv");
    }
    buffer.clear();
  }

  void open(const std::string& path) {
    if (path != "-") file.emplace(path);
    if (format.gzip) gzip.emplace([this](std::string_view bytes) { write_out(bytes); });
    if (format.npy && (format.gzip || file->in_place())) spool.emplace();
  }

  void append_header() {
    if (format.npy && !spool) write(npy_header(0, static_cast<Index>(columns.size())));
    if (!format.npy) append_cells(columns);
    flush();
  }

  void append_cells(const std::vector<std::string>& cells) {
    for (std::size_t j = 0; j < cells.size(); ++j)
      fmt::format_to(std::back_inserter(buffer), "{}{}", quoted_cell(cells[j], format.delimiter),
                     j + 1 < cells.size() ? format.delimiter : '\n');
  }

  // value(i, j) of a rows × columns piece.
  template <class Value>
  void append(Index count, Index width, Value&& value) {
    if (width != static_cast<Index>(columns.size()))
      throw Error(ErrorKind::data, fmt::format("a row of {} values in a table of {} columns", width, columns.size()),
                  {}, "give one value per column");
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < width; ++j) {
        const double number = value(i, j);
        if (table) {
          table->add(number);
        } else if (format.npy) {
          const char* bytes = reinterpret_cast<const char*>(&number);
          buffer.append(bytes, bytes + sizeof number);
        } else {
          fmt::format_to(std::back_inserter(buffer), "{}{}", number, j + 1 < width ? format.delimiter : '\n');
        }
      }
      if (table) table->end_row();
      if (buffer.size() > kFlushBytes) flush();
    }
    rows += count;
    if (!table) flush();
  }

  void finish_npy() {
    const std::string header = npy_header(rows, static_cast<Index>(columns.size()));
    if (!spool) return file->write_at(0, header.data(), header.size());
    write(header);
    for (std::uint64_t done = 0; done < spool->size(); done += kFlushBytes)
      write(spool->read(done, static_cast<std::size_t>(std::min<std::uint64_t>(kFlushBytes, spool->size() - done))));
  }
};

TableWriter::TableWriter(const std::string& path, std::vector<std::string> columns, const std::vector<CellType>& types)
    : state_(std::make_unique<State>()) {
  state_->columns = std::move(columns);
  if (is_database(path)) {
    state_->table.emplace(path, state_->columns, types);
    return;
  }
  if (path != "-") state_->format = format_of(path);
  state_->open(path);
  state_->append_header();
}

TableWriter::TableWriter(std::string& text, std::vector<std::string> columns) : state_(std::make_unique<State>()) {
  state_->columns = std::move(columns);
  state_->text = &text;
  state_->append_header();
}

TableWriter::~TableWriter() = default;
TableWriter::TableWriter(TableWriter&&) noexcept = default;
TableWriter& TableWriter::operator=(TableWriter&&) noexcept = default;

void TableWriter::append(View<const double> rows) {
  state_->append(rows.rows, rows.cols, [&](Index i, Index j) { return rows(i, j); });
}

void TableWriter::append_transposed(View<const double> columns_by_rows) {
  state_->append(columns_by_rows.cols, columns_by_rows.rows, [&](Index i, Index j) { return columns_by_rows(j, i); });
}

void TableWriter::append_text(const std::vector<std::vector<std::string>>& rows) {
  if (state_->format.npy)
    throw Error(ErrorKind::option, "a .npy file holds numbers only", "‹out›", "give the file a name that ends in .csv");
  for (const auto& row : rows) {
    if (state_->table) {
      state_->table->add_row(row);
      continue;
    }
    state_->append_cells(row);
    if (state_->buffer.size() > kFlushBytes) state_->flush();
  }
  state_->rows += static_cast<Index>(rows.size());
  if (!state_->table) state_->flush();
}

void TableWriter::commit() {
  if (state_->table) return state_->table->commit();
  if (state_->format.npy) state_->finish_npy();
  if (state_->gzip) state_->gzip->finish();
  if (state_->file)
    state_->file->commit();
  else if (state_->text == nullptr)
    flush_standard_output();
}

void write_file(const std::string& path, const std::string& contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

void check_writable(const std::string& path) {
  AtomicFile::check(path);
}

void check_table_writable(const std::string& path) {
  if (path == "-") return;
  if (is_database(path)) return check_database_table(path);
  static_cast<void>(format_of(path));
  check_writable(path);
}

std::string printable(const std::string& text, bool one_line) {
  return printable_text(text, one_line);
}

void remove_temporary_files() noexcept {
  unlink_temporary_files();
}

void flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw_standard_output(errno);
}

}  // namespace weft
