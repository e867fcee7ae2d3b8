#include <weft/write.hpp>

#include <weft/error.hpp>

#include "core/atomic_file.hpp"

#include <cstdio>
#include <optional>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
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

}  // namespace

struct TableWriter::State {
  std::vector<std::string> columns;
  std::optional<AtomicFile> file;  // none: standard output
  bool npy = false;
  Index rows = 0;
  fmt::memory_buffer buffer;

  void flush() {
    if (file)
      file->write(buffer.data(), buffer.size());
    else if (std::fwrite(buffer.data(), 1, buffer.size(), stdout) != buffer.size())
      throw Error(ErrorKind::file, "cannot write to standard output", "-",
                  "check that the program reading the pipe is still running");
    buffer.clear();
  }

  // value(i, j) of a rows × columns piece.
  template <class Value>
  void append(Index count, Index width, Value&& value) {
    if (width != static_cast<Index>(columns.size()))
      throw Error(ErrorKind::data, fmt::format("a row of {} values in a table of {} columns", width, columns.size()),
                  {}, "give one value per column");
    constexpr std::size_t kFlushBytes = std::size_t{1} << 20;
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < width; ++j) {
        const double number = value(i, j);
        if (npy) {
          const char* bytes = reinterpret_cast<const char*>(&number);
          buffer.append(bytes, bytes + sizeof number);
        } else {
          fmt::format_to(std::back_inserter(buffer), "{}{}", number, j + 1 < width ? ',' : '\n');
        }
      }
      if (buffer.size() > kFlushBytes) flush();
    }
    rows += count;
    flush();
  }
};

TableWriter::TableWriter(const std::string& path, std::vector<std::string> columns)
    : state_(std::make_unique<State>()) {
  state_->columns = std::move(columns);
  state_->npy = path.ends_with(".npy");
  if (path != "-") state_->file.emplace(path);
  if (state_->npy) {
    state_->file->write(npy_header(0, static_cast<Index>(state_->columns.size())));
    return;
  }
  for (std::size_t j = 0; j < state_->columns.size(); ++j)
    fmt::format_to(std::back_inserter(state_->buffer), "{}{}", j == 0 ? "" : ",", csv_cell(state_->columns[j]));
  state_->buffer.push_back('\n');
  state_->flush();
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
  if (state_->npy)
    throw Error(ErrorKind::option, "a .npy file holds numbers only", "‹out›", "give the file a name that ends in .csv");
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j)
      fmt::format_to(std::back_inserter(state_->buffer), "{}{}", csv_cell(row[j]), j + 1 < row.size() ? ',' : '\n');
  state_->rows += static_cast<Index>(rows.size());
  state_->flush();
}

void TableWriter::commit() {
  if (!state_->file) {
    std::fflush(stdout);
    return;
  }
  if (state_->npy) {
    const std::string header = npy_header(state_->rows, static_cast<Index>(state_->columns.size()));
    state_->file->write_at(0, header.data(), header.size());
  }
  state_->file->commit();
}

void write_file(const std::string& path, const std::string& contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

void check_writable(const std::string& path) {
  const AtomicFile probe(path);
}

}  // namespace weft
