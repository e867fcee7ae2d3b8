#include <weft/data.hpp>
#include <weft/database.hpp>
#include <weft/files.hpp>

#include "data/database/query_reader.hpp"
#include "data/readers/builtin_path.hpp"
#include "data/readers/csv_reader.hpp"
#include "data/readers/find_column.hpp"
#include "data/readers/idx_reader.hpp"
#include "data/readers/kept_rows.hpp"
#include "data/readers/libsvm_reader.hpp"
#include "data/readers/npy_reader.hpp"
#include "data/readers/npz_reader.hpp"
#include "data/readers/table_reader.hpp"
#include "data/readers/text_encoding.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr std::size_t kRecognitionBytes = std::size_t{1} << 16;

// Everything needed to open a file again.
struct Recipe {
  std::string path;
  std::string name;  // for messages
  FileFormat format;
  ReadOptions options;
  TextEncoding encoding = TextEncoding::automatic;
  LibsvmShape shape = {};   // LIBSVM only
  std::string labels = "";  // IDX only
};

bool looks_like_libsvm(std::string_view sample) {
  LineReader lines(memory_bytes(sample), "");
  std::string_view line;
  int seen = 0;
  // The last line of the sample may be cut: not looked at, unless it is the only one.
  while (seen < 5 && lines.next(line)) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    const bool last = line.data() + line.size() == sample.data() + sample.size();
    if (!is_libsvm_line(text)) return last && seen > 0;
    ++seen;
  }
  return seen > 0;
}

FileFormat format_from_name(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  const std::string extension = name.extension().string();
  const auto is_one_of = [&](std::initializer_list<const char*> list) {
    return std::find(list.begin(), list.end(), extension) != list.end();
  };
  if (is_one_of({".csv"})) return FileFormat::csv;
  if (is_one_of({".tsv", ".tab"})) return FileFormat::tsv;
  if (is_one_of({".libsvm", ".svm", ".svmlight"})) return FileFormat::libsvm;
  if (is_one_of({".npy"})) return FileFormat::npy;
  return FileFormat::automatic;
}

// What people have in other formats; each is an error with its own remedy.
void refuse_foreign(std::string_view sample, const std::string& path, const std::string& name) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto refuse = [&](const char* what, const char* remedy) { throw Error(ErrorKind::data, what, name, remedy); };
  if (extension == ".xlsx" || extension == ".xls" || extension == ".ods")
    refuse("this is a spreadsheet", "save the sheet as CSV (UTF-8) and name that file");
  if (sample.starts_with("PAR1"))
    refuse("this is a Parquet file", "write it as CSV, for example with pandas, and name that");
  if (extension == ".json" && (sample.starts_with('{') || sample.starts_with('[')))
    refuse("this is JSON", "write it as CSV, for example with pandas, and name that");
  const std::size_t end = sample.find('\r');
  if (end != std::string_view::npos && end + 1 < sample.size() && sample.find('\n') == std::string_view::npos &&
      sample.find('\0') == std::string_view::npos)
    refuse("the lines end with a carriage return alone", "write line feeds, for example with tr '\\r' '\\n'");
}

// The content takes precedence over the file name: binary formats start with a signature.
FileFormat recognise(ByteSource& source, const std::string& path, const std::string& name) {
  const std::string_view sample = source.peek(kRecognitionBytes);
  if (sample.substr(0, 6) == "\x93NUMPY") return FileFormat::npy;
  if (is_idx(sample)) return FileFormat::idx;
  refuse_foreign(sample, path, name);
  if (sample.substr(0, 4) == "PK\x03\x04") {
    if (can_reopen(path) && !is_compressed(path) && is_npz(path)) return FileFormat::npz;
    throw Error(ErrorKind::data, "this is a zip archive", name,
                "unpack it and name the file inside; .npz archives are read where they are a file of their own");
  }
  const FileFormat by_name = format_from_name(path);
  if (by_name == FileFormat::npy) return by_name;
  if (sample.starts_with("SQLite format 3"))
    throw Error(ErrorKind::data, "this is an SQLite database", name,
                fmt::format("write sqlite:{}?table=NAME, or sqlite:{} with ‹query›", path, path));
  if (sample.find('\0') != std::string_view::npos)
    throw Error(ErrorKind::data, "this is neither text nor a supported binary format", name,
                "give CSV, TSV, LIBSVM, .npy or IDX, plain or gzip, or .npz; for text in UTF-16 use ‹encoding› utf-16");
  if (by_name != FileFormat::automatic) return by_name;
  return looks_like_libsvm(sample) ? FileFormat::libsvm : FileFormat::csv;
}

std::unique_ptr<ByteSource> open_text(const Recipe& recipe) {
  return decoded(open_bytes(recipe.path), recipe.encoding, recipe.name);
}

std::unique_ptr<TableReader> open_table(const Recipe& recipe, std::unique_ptr<ByteSource> source) {
  if (recipe.format == FileFormat::csv || recipe.format == FileFormat::tsv)
    return read_csv(std::move(source), recipe.name, recipe.options, recipe.format == FileFormat::tsv);
  std::unique_ptr<RowReader> reader;
  if (recipe.format == FileFormat::libsvm)
    reader = read_libsvm(std::move(source), recipe.name, recipe.shape);
  else if (recipe.format == FileFormat::npy)
    reader = read_npy(std::move(source), recipe.path);
  else if (recipe.format == FileFormat::npz)
    reader = read_npz(recipe.path);
  else
    reader = read_idx(std::move(source), recipe.name, recipe.labels.empty() ? nullptr : open_bytes(recipe.labels),
                      recipe.labels);
  return choose_columns(std::move(reader), recipe.options, recipe.name);
}

void require_again(const std::string& path, const Recipe& recipe, const char* why) {
  if (can_reopen(path)) return;
  throw Error(ErrorKind::file, fmt::format("{}, and this input can be read only once", why), recipe.name,
              "save it to a file and name that");
}

// Leaves the source as text where it is that.
Recipe recipe_of(const std::string& path, const ReadOptions& options, std::unique_ptr<ByteSource>& source) {
  Recipe recipe{
      .path = path, .name = path == "-" ? "standard input" : path, .format = options.format, .options = options};
  recipe.encoding = find_encoding(*source, options.encoding, recipe.name);
  source = decoded(std::move(source), recipe.encoding, recipe.name);
  if (recipe.format == FileFormat::automatic) recipe.format = recognise(*source, path, recipe.name);
  if (recipe.format == FileFormat::libsvm && !options.delimiter.empty()) recipe.format = FileFormat::csv;
  if (recipe.format == FileFormat::npz) require_again(path, recipe, "a .npz archive is read from its end");
  if (recipe.format == FileFormat::libsvm) {
    require_again(path, recipe, "LIBSVM data are read twice");
    recipe.shape = scan_libsvm(open_text(recipe), recipe.name);
    if (recipe.shape.inputs > kDenseInputs) find_occurring(open_text(recipe), recipe.name, recipe.shape);
  }
  if (recipe.format == FileFormat::idx && can_reopen(path)) recipe.labels = idx_labels_path(path);
  return recipe;
}

// The columns LIBSVM, IDX and built-in data call target themselves.
std::string natural_target(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns)
    if (column.name == "target") return "target";
  for (const Column& column : columns)
    if (column.name == fmt::format("target{}", names.size())) names.push_back(column.name);
  return fmt::format("{}", fmt::join(names, ","));
}

// Users count the columns of the file; readers downstream see it without the dropped ones. Names mean the same to both,
// so positions become names (or, where a name has a comma, the position after dropping).
std::string resolve_positions(const TableReader& reader, const std::string& list, const std::string& option,
                              const std::string& place) {
  std::vector<std::string> parts = split_list(list);
  if (parts.empty()) return {};
  const ColumnNames in_file(reader.file_columns());
  const ColumnNames delivered(reader.columns());
  if (in_file.look_up(list)) parts = {list};
  for (std::string& part : parts) {
    const auto position = in_file.look_up(part);
    if (!position && reader.in_first_line(part))
      throw Error(ErrorKind::option, fmt::format("{}: there is no column {}", option_mark(option), shown(part)), place,
                  "the first line was read as data: if it names the columns, use ‹header› yes");
    if (!position) continue;  // not an error here: a table to predict on may lack the column
    const std::string& name = reader.file_columns()[static_cast<std::size_t>(*position)].name;
    const auto kept = delivered.find(name);
    if (!kept)
      throw Error(ErrorKind::option, fmt::format("column {} is also dropped", shown(name)), option_mark(option),
                  "take it out of ‹drop›");
    part = name.find(',') == std::string::npos ? name : fmt::format("{}", *kept);
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

ReadOptions resolve_options(const TableReader& reader, ReadOptions options, bool has_natural_target,
                            const std::string& place) {
  if (options.target.empty() && has_natural_target) options.target = natural_target(reader.columns());
  options.target = resolve_positions(reader, options.target, "target", place);
  options.weights = resolve_positions(reader, options.weights, "weights", place);
  reader.resolve_dialect(options);
  RowRuleOptions& rule = options.rule;
  rule.folds_column = resolve_positions(reader, rule.folds_column, "folds_column", place);
  rule.group = resolve_positions(reader, rule.group, "group", place);
  rule.time = resolve_positions(reader, rule.time, "time", place);
  return options;
}

Data read_builtin(const std::string& path, const ReadOptions& options) {
  const BuiltinPath builtin = parse_builtin_path(path);
  const Data data = generate(builtin.name, builtin.options);
  const auto open = [data, options, path] { return choose_columns(data.open(), options, path); };
  return {path, resolve_options(*open(), options, true, path), open};
}

Data read_database(const std::string& path, const ReadOptions& options) {
  const DatabasePath parsed = parse_database_path(path);
  const auto open = open_query(parsed, options);
  const auto reader = open();
  return {parsed.shown, resolve_options(*reader, options, false, parsed.shown), keep_rows(open, reader->columns())};
}

// Hands out the reader made for the check, once.
Data::Opener open_once(std::unique_ptr<RowReader> reader, const std::string& name) {
  auto held = std::make_shared<std::unique_ptr<RowReader>>(std::move(reader));
  return [held, name] {
    if (*held == nullptr)
      throw Error(ErrorKind::file, "the input can be read only once, and this task reads it again", name,
                  "save it to a file and name that");
    return std::move(*held);
  };
}

}  // namespace

Data read(const std::string& path, const ReadOptions& options) {
  check_options(options);
  check_rule(options.rule);
  if (is_database(path)) return read_database(path, options);
  if (!options.query.empty())
    throw Error(ErrorKind::option, fmt::format("{} is not a database", path), "‹query›",
                "write sqlite:FILE or postgresql://…, or leave the query out");
  if (is_builtin_path(path)) return read_builtin(path, options);
  if (const std::vector<std::string> files = matching_files(path); files.size() > 1 || files.front() != path) {
    std::vector<Data> tables;
    for (const std::string& file : files) tables.push_back(read(file, options));
    const Data first = tables.front();
    return tables.size() == 1 ? first : concatenate(std::move(tables), first, path);
  }
  std::unique_ptr<ByteSource> source = open_bytes(path);
  const Recipe recipe = recipe_of(path, options, source);
  std::unique_ptr<TableReader> reader = open_table(recipe, std::move(source));
  const bool has_natural_target = recipe.format == FileFormat::libsvm || recipe.format == FileFormat::idx;
  ReadOptions resolved = resolve_options(*reader, options, has_natural_target, recipe.name);
  resolved.encoding = recipe.encoding;
  if (!can_reopen(path)) return {recipe.name, resolved, open_once(std::move(reader), recipe.name)};
  const Data::Opener open = [recipe] { return open_table(recipe, open_text(recipe)); };
  const bool archive = recipe.format == FileFormat::npz;
  const bool binary = archive || recipe.format == FileFormat::npy || recipe.format == FileFormat::idx;
  const bool compressed = archive ? is_npz_compressed(path) : is_compressed(path);
  if (binary && !compressed) return {recipe.name, resolved, open};  // nothing to parse
  // Rows of a wide sparse file are parsed sooner than dense ones are packed.
  if (!recipe.shape.indices.empty()) return {recipe.name, resolved, open};
  return {recipe.name, resolved,
          keep_rows(open, reader->columns(), recipe.format == FileFormat::libsvm ? 1 : 0)};  // LIBSVM was scanned
}

}  // namespace weft
