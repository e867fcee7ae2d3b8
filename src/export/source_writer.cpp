#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core/at.hpp"
#include "core/crc64.hpp"
#include "core/embedded.hpp"
#include "data/text.hpp"
#include "export/source_tables.hpp"
#include "export/template_text.hpp"
#include "export/writers.hpp"

namespace weft::detail {

namespace {

std::string little_endian(std::uint64_t bits) {
  std::string bytes;
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>(bits >> (8 * k) & 0xff);
  return bytes;
}

/// A tag, by which a program knows its own parameters, and the parameters: doubles of 8 bytes, the lowest first.
std::string parameter_bytes(const std::vector<double>& parameters) {
  std::string bytes;
  for (const double value : parameters) bytes += little_endian(std::bit_cast<std::uint64_t>(value));
  Crc64 crc;
  crc.add(bytes.data(), bytes.size());
  return little_endian(crc.value()) + bytes;
}

/// Reader functions by CellReader, in C and in JavaScript.
constexpr std::array kReaders = {"read_number_cell", "read_boolean_cell", "read_date_cell", "read_category_cell",
                                 "read_no_cell"};
constexpr std::array kScriptReaders = {"readNumberCell", "readBooleanCell", "readDateCell", "readCategoryCell",
                                       "readNoCell"};

const char* link_name(const LinkStep& link) {
  switch (link.kind) {
    case LinkStep::Kind::poisson:
      return "link_poisson";
    case LinkStep::Kind::quantiles:
      return "link_quantiles";
    case LinkStep::Kind::binary:
      return link.probabilities ? "link_binary_probabilities" : "link_binary";
    case LinkStep::Kind::multiclass:
      return link.probabilities ? "link_multiclass_probabilities" : "link_multiclass";
    case LinkStep::Kind::numbers:
      break;
  }
  return "link_numbers";
}

class SourceWriter {
 public:
  SourceWriter(const Program& program, const ExportOptions& options)
      : program_(program), options_(options), language_{*options.to == ExportTarget::js} {}

  void write(ExportedModel& exported) {
    const bool in_text = static_cast<Index>(program_.parameters.size()) <= options_.inline_numbers;
    if (!in_text) exported.parameters_file = parameter_bytes(program_.parameters);
    set_flags(in_text);
    set_sizes();
    set_encoder();
    set_model();
    set_parameters(exported.parameters_file);
    set_names(!in_text);
    exported.contents = render_template(text(), values_);
    if (*options_.to != ExportTarget::cpp) return;
    exported.contents += fmt::format("\n}}  // namespace {}\n\n#endif\n", *options_.name);
    if (options_.main)
      exported.contents +=
          fmt::format("\nint main(int argc, char** argv) {{\n  return {}::run(argc, argv);\n}}\n", *options_.name);
  }

 private:
  std::string text() const {
    const std::string ending = language_.script ? ".mjs" : ".c";
    std::string text;
    for (const std::string name : {"cells", "activations", "model"}) text += runtime_file(name + ending) + "\n";
    return options_.main ? text + runtime_file("main.c") : text;
  }

  static std::string runtime_file(const std::string& name) {
    return std::string(find_embedded(embedded_export_runtime(), name));
  }

  void set(const std::string& name, const std::string& value) { values_.values[name] = value; }
  void set(const std::string& name, Index value) { set(name, fmt::format("{}", value)); }
  void flag(const std::string& name, bool value) {
    if (value) values_.flags.insert(name);
  }

  template <class Rows, class Holds>
  static bool any(const Rows& rows, const Holds& holds) {
    return std::any_of(rows.begin(), rows.end(), holds);
  }

  void set_flags(bool in_text) {
    flag("inline", in_text);
    flag("file", !in_text);
    flag("cpp", *options_.to == ExportTarget::cpp);
    flag("bias", program_.bias);
    flag("missing_error", program_.missing == MissingCells::error);
    flag("missing_impute", program_.missing == MissingCells::impute);
    flag("missing_indicate", program_.missing == MissingCells::indicate);
    flag("unseen_ignored", program_.unseen_ignored);
    flag("classes", !program_.classes.empty());
    flag("one", program_.classes.empty() && program_.values() == 1);
    flag("several", program_.classes.empty() && program_.values() > 1);
    const bool interval = program_.link.ends >= 0, counts = program_.link.kind == LinkStep::Kind::poisson;
    flag("interval", interval);
    flag("counts", interval && counts);
    flag("numbers_with_ends", interval && !counts);
    flag("groups", !program_.groups.empty());
    flag("sections", !program_.sections.empty());
    flag("splits", !program_.splits.empty());
    flag("group_columns", any(program_.groups, [](const FeatureGroup& g) { return g.columns >= 0; }));
    flag("member_columns", any(program_.members, [](const MemberStep& m) { return m.columns >= 0; }));
    flag("transforms", any(program_.members, [](const MemberStep& m) {
           return std::max({m.columns, m.factors, m.matrix}) >= 0;
         }));
    flag("calibrated", program_.link.slopes >= 0);
    flag("threshold", program_.link.threshold.has_value());
    flag("numbers", !program_.number_columns().empty());
    flag("texts", !program_.text_columns().empty());
    flag("na_values", !program_.na_values.empty());
    flag("na_numbers", !na_numbers().empty());
  }

  std::vector<double> na_numbers() const {
    std::vector<double> numbers;
    for (const std::string& text : program_.na_values)
      if (double value = 0; parse_cell(text, value) == CellKind::number) numbers.push_back(value);
    return numbers;
  }

  void set_sizes() {
    set("inputs", program_.inputs);
    set("most_inputs", program_.most_inputs);
    set("scores", program_.outputs);
    set("column_count", static_cast<Index>(program_.columns.size()));
    set("number_count", static_cast<Index>(program_.number_columns().size()));
    set("text_count", static_cast<Index>(program_.text_columns().size()));
    set("value_count", program_.values());
    set("member_count", static_cast<Index>(program_.members.size()));
    set("intercepts", program_.intercepts);
    set("indicated", program_.missing == MissingCells::indicate ? "missing ? 1 : 0" : "0");
  }

  /// Only the readers that occur are in the program.
  void set_encoder() {
    std::vector<CellReader> readers;
    std::vector<std::string> functions, rows;
    for (const ColumnStep& column : program_.columns) {
      if (std::find(readers.begin(), readers.end(), column.reader) == readers.end()) {
        readers.push_back(column.reader);
        functions.emplace_back((language_.script ? kScriptReaders : kReaders)[static_cast<std::size_t>(column.reader)]);
      }
      rows.push_back(column_cells(column, std::find(readers.begin(), readers.end(), column.reader) - readers.begin()));
    }
    set("number_reader", std::find(readers.begin(), readers.end(), CellReader::number) - readers.begin());
    set("readers", language_.row(functions));
    set("columns", language_.list(rows));
    set("scales", language_.table(program_.scales));
    set("levels", language_.table(program_.levels));
    set("dates", language_.table(program_.dates));
    set("labels", language_.texts(program_.labels));
    set("integers", language_.integers(program_.integers));
    set("na_values", language_.texts(program_.na_values));
    set("na_numbers", language_.numbers(na_numbers()));
    set("scaled", any(program_.scales, [](const ScaleStep& s) { return s.count > 0; }) ? "scaled" : "scaled_affine");
  }

  std::string column_cells(const ColumnStep& column, Index reader) const {
    std::vector<std::string> items;
    for (const Index value : {reader, column.cell, column.input, column.scales, column.scale_count, column.table,
                              column.indicator, column.indicator_input})
      items.push_back(fmt::format("{}", value));
    items.push_back(language_.number(column.fill));
    return language_.row(items);
  }

  void set_model() {
    set("members", language_.table(program_.members));
    set("splits", language_.table(program_.splits));
    set("leaves", language_.table(program_.leaves));
    set("groups", language_.table(program_.groups));
    set("learned", language_.table(program_.learned));
    set("sections", language_.table(program_.sections));
    std::vector<std::string> activations, kernels;
    for (const ActivationStep& step : program_.activations) {
      std::string name = step.formula;
      std::replace(name.begin(), name.end(), '-', '_');
      activations.push_back(
          language_.row({step.smoothed ? name + "_terms" : "no_terms", name + (step.smoothed ? "_smooth" : "_value"),
                         fmt::format("{}", step.learned)}));
    }
    for (const KernelStep& step : program_.kernels)
      kernels.push_back(
          language_.row({"kernel_" + step.formula, language_.number(step.rate), language_.number(step.power)}));
    set("activations", language_.list(activations));
    set("kernels", language_.list(kernels));
    set("link", link_name(program_.link));
    set("slopes", program_.link.slopes);
    set("ends", program_.link.ends);
    set("threshold", language_.number(program_.link.threshold.value_or(0)));
  }

  void set_parameters(const std::string& file) {
    set("parameters", file.empty() ? language_.numbers(program_.parameters) : "");
    set("parameter_count", static_cast<Index>(program_.parameters.size()));
    std::vector<std::string> tag;
    for (std::size_t k = 0; k < 8 && !file.empty(); ++k)
      tag.push_back(fmt::format("{}", static_cast<unsigned char>(file[k])));
    set("tag", language_.row(tag));
  }

  void set_names(bool has_file) {
    const bool header = *options_.to == ExportTarget::cpp;
    std::vector<std::string> columns;
    for (const ColumnStep& column : program_.columns) columns.push_back(column.name);
    set("name", *options_.name);
    set("prefix", header ? "" : *options_.name + "_");
    set("local", header ? "static inline" : "static");
    set("api", header ? "static inline" : "extern");
    set("data", header ? "static const char* const" : "const char* const");
    const std::string guard = fmt::format("WEFT_EXPORTED_{}", *options_.name);
    set("head", describe_program(program_, options_, has_file) +
                    (header ? fmt::format("\n#ifndef {0}\n#define {0}\n", guard) : ""));
    set("begin", header ? fmt::format("\nnamespace {} {{\n", *options_.name) : "");
    set("column_names", language_.texts(columns));
    set("output_names", language_.texts(program_.value_names()));
    set("classes", language_.texts(program_.classes));
    set("predict_comment", !program_.classes.empty()
                               ? "The label of a row, and the probability of every class where the model has them."
                           : program_.values() > 1 ? "What is predicted, by name."
                                                   : "The number that is predicted.");
  }

  const Program& program_;
  const ExportOptions& options_;
  SourceLanguage language_;
  TemplateValues values_;
};

}  // namespace

void write_source(const Program& program, const ExportOptions& options, ExportedModel& exported) {
  SourceWriter(program, options).write(exported);
}

}  // namespace weft::detail
