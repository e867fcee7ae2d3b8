// From columns to inputs. Texts go through tables: LabelEncoder finds the row of a table that has the inputs of every
// category.
#include "export/onnx_cells.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/at.hpp"

namespace weft::detail {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// What a scale does to a number that is known now.
double scaled_now(const Program& program, Index scale, double v) {
  const ScaleStep& step = program.scales[at(scale)];
  if (step.count == 0) return (v - step.shift) * step.factor;
  const double* values = program.parameters.data() + step.knots;
  const double* scores = values + step.count;
  Index below = 0;
  while (below + 1 < step.count && values[below + 1] <= v) ++below;
  if (v <= values[0] || below + 1 == step.count) return scores[below];
  return scores[below] +
         (v - values[below]) / (values[below + 1] - values[below]) * (scores[below + 1] - scores[below]);
}

class Cells {
 public:
  Cells(const Program& program, OnnxGraph& graph) : program_(program), graph_(graph) {}

  std::string inputs() {
    OnnxGraph::Names blocks;
    for (const ColumnStep& column : program_.columns)
      if (column.cell >= 0) blocks.push_back(read(column));
    // Columns that training saw no cell of, and the bias, are as many constants as there are rows.
    for (const ColumnStep& column : program_.columns)
      if (column.cell < 0) fixed_inputs(column);
    return arranged(blocks);
  }

 private:
  std::string read(const ColumnStep& column) {
    for (Index k = 0; k < width(column); ++k) order_.push_back(column.input + k);
    if (column.reader == CellReader::category) return read_category(column);
    if (column.reader == CellReader::boolean) return read_boolean(column);
    const std::string cell = graph_.input(column.name, OnnxType::float64);
    return column.reader == CellReader::date ? read_date(column, cell) : read_number(column, cell);
  }

  Index width(const ColumnStep& column) const {
    Index effects = column.reader == CellReader::category ? program_.levels[at(column.table)].effect_count : 0;
    return column.scale_count + effects + (column.indicator >= 0 ? 1 : 0);
  }

  void fixed_inputs(const ColumnStep& column) {
    for (Index k = 0; k < column.scale_count; ++k) {
      order_.push_back(column.input + k);
      fixed_.push_back(scaled_now(program_, column.scales + k, 0));
    }
  }

  /// All inputs in the order of the encoder.
  std::string arranged(OnnxGraph::Names blocks) {
    if (blocks.empty())
      throw Error(ErrorKind::option, "an ONNX graph counts rows by its inputs, and this model uses no column", "‹to›",
                  "use another target, or train on a table with columns that vary");
    if (program_.bias) {
      order_.push_back(program_.inputs - 1);
      fixed_.push_back(1);
    }
    if (!fixed_.empty()) {
      const auto count = static_cast<Index>(fixed_.size());
      const std::string rows = graph_.node("Shape", {blocks.front()}, {{"end", Index{1}}});
      const std::string shape = graph_.node("Concat", {rows, graph_.integers({count}, {1})}, {{"axis", Index{0}}});
      blocks.push_back(graph_.node("Expand", {graph_.numbers(fixed_, {1, count}), shape}));
    }
    const std::string joined = graph_.node("Concat", blocks, {{"axis", Index{1}}});
    std::vector<Index> places(order_.size());
    bool in_order = true;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      places[at(order_[k])] = static_cast<Index>(k);
      in_order = in_order && order_[k] == static_cast<Index>(k);
    }
    return in_order ? joined : graph_.columns(joined, places);
  }

  std::string indicator(const ColumnStep& column, const std::string& missing) {
    const bool indicated = program_.missing == MissingCells::indicate;
    const std::string off = graph_.number(scaled_now(program_, column.indicator, 0));
    return graph_.node("Where",
                       {missing, graph_.number(scaled_now(program_, column.indicator, indicated ? 1 : 0)), off});
  }

  std::string read_number(const ColumnStep& column, const std::string& cell) {
    const std::string missing = graph_.node("IsNaN", {cell});
    const std::string v = graph_.node("Where", {missing, graph_.number(column.fill), cell});
    OnnxGraph::Names blocks;
    for (Index k = 0; k < column.scale_count; ++k) blocks.push_back(scaled(column.scales + k, v));
    return with_indicator(column, missing, std::move(blocks));
  }

  std::string with_indicator(const ColumnStep& column, const std::string& missing, OnnxGraph::Names blocks) {
    if (column.indicator >= 0) blocks.push_back(indicator(column, missing));
    return graph_.node("Concat", blocks, {{"axis", Index{1}}});
  }

  /// Linear between knots: how many are at most v says where it lies.
  std::string scaled(Index scale, const std::string& v) {
    const ScaleStep& step = program_.scales[at(scale)];
    auto& g = graph_;
    if (step.count == 0) return g.node("Mul", {g.node("Sub", {v, g.number(step.shift)}), g.number(step.factor)});
    const double* first = program_.parameters.data() + step.knots;
    if (step.count == 1) return g.node("Add", {g.node("Mul", {v, g.number(0)}), g.number(first[1])});
    const std::string values = g.numbers({first, first + step.count}, {step.count});
    const std::string scores = g.numbers({first + step.count, first + 2 * step.count}, {step.count});
    const std::string inside = g.node("Max", {g.node("Min", {v, g.number(first[step.count - 1])}), g.number(first[0])});
    const std::string reached = g.cast(g.node("GreaterOrEqual", {inside, values}), OnnxType::int64);
    const std::string count = g.node("ReduceSum", {reached, g.integers({1}, {1})});
    const std::string one = g.integers({1}, {1});
    const std::string above = g.node("Min", {count, g.integers({step.count - 1}, {1})});
    const std::string below = g.node("Sub", {above, one});
    const auto picked = [&](const std::string& table, const std::string& place) {
      return g.node("Gather", {table, place});
    };
    const std::string from = picked(values, below), low = picked(scores, below);
    const std::string share =
        g.node("Div", {g.node("Sub", {inside, from}), g.node("Sub", {picked(values, above), from})});
    return g.node("Add", {low, g.node("Mul", {share, g.node("Sub", {picked(scores, above), low})})});
  }

  /// A table of inputs by the text of a cell: `rows` × width, the last two for texts that are not known and for missing
  /// ones.
  std::string from_table(const ColumnStep& column, std::vector<std::string> texts, std::vector<Index> places,
                         const std::vector<double>& table) {
    const Index rows = static_cast<Index>(table.size()) / width(column);
    std::vector<std::string> missing = program_.na_values;
    missing.emplace_back("");
    if (column.reader == CellReader::boolean)
      for (const char* marker : {"NA", "na", "N/A", "NaN", "nan", "null", "None", "none", "?", "-", ".", "#N/A"})
        missing.emplace_back(marker);
    for (const std::string& text : missing) {
      texts.push_back(text);
      places.push_back(rows - 1);
    }
    const std::string cell = graph_.input(column.name, OnnxType::string);
    const std::string row = graph_.table_node(
        "LabelEncoder", {cell}, {{"keys_strings", texts}, {"values_int64s", places}, {"default_int64", rows - 2}});
    const std::string found = graph_.node("Gather", {graph_.numbers(table, {rows, width(column)}), row});
    return graph_.node("Squeeze", {found, graph_.integers({1}, {1})});
  }

  double indicator_now(const ColumnStep& column, bool missing) const {
    const bool on = missing && program_.missing == MissingCells::indicate;
    return scaled_now(program_, column.indicator, on ? 1 : 0);
  }

  std::string read_category(const ColumnStep& column) {
    const LevelTable& levels = program_.levels[at(column.table)];
    std::vector<double> table;
    for (Index level = 0; level < levels.count; ++level) add_level(column, level, false, table);
    add_level(column, -1, false, table);
    const bool imputed = program_.missing == MissingCells::impute;
    add_level(column, imputed ? static_cast<Index>(column.fill) : -1, true, table);
    const auto first = program_.labels.begin() + levels.labels;
    const auto places = program_.integers.begin() + levels.positions;
    return from_table(column, {first, first + levels.count}, {places, places + levels.count}, table);
  }

  void add_level(const ColumnStep& column, Index level, bool missing, std::vector<double>& table) const {
    const LevelTable& levels = program_.levels[at(column.table)];
    const Index place = level < 0 || levels.one_hot < 0 ? level : program_.integers[at(levels.one_hot + level)];
    for (Index k = 0; k < column.scale_count; ++k)
      table.push_back(scaled_now(program_, column.scales + k, k == place ? 1 : 0));
    for (Index k = 0; k < levels.effect_count; ++k)
      table.push_back(scaled_now(program_, levels.effect_scales + k,
                                 level < 0 ? 0 : program_.parameters[at(levels.effects + k * levels.count + level)]));
    if (column.indicator >= 0) table.push_back(indicator_now(column, missing));
  }

  std::string read_boolean(const ColumnStep& column) {
    std::vector<double> table;
    for (const double v : {0.0, 1.0, column.fill, kMissing}) {
      for (Index k = 0; k < column.scale_count; ++k)
        table.push_back(scaled_now(program_, column.scales + k, std::isnan(v) ? column.fill : v));
      if (column.indicator >= 0) table.push_back(indicator_now(column, std::isnan(v)));
    }
    std::vector<std::string> texts;
    std::vector<Index> places;
    for (const auto& [word, place] : std::initializer_list<std::pair<const char*, Index>>{
             {"false", 0}, {"no", 0}, {"f", 0}, {"0", 0}, {"true", 1}, {"yes", 1}, {"t", 1}, {"1", 1}})
      for (const std::string& spelling : spellings(word)) {
        texts.push_back(spelling);
        places.push_back(place);
      }
    return from_table(column, std::move(texts), std::move(places), table);
  }

  /// yes, YES and Yes.
  static std::vector<std::string> spellings(const std::string& word) {
    if (word.front() <= '9') return {word};
    std::string upper = word, title = word;
    for (char& c : upper) c = static_cast<char>(c - 32);
    title[0] = upper[0];
    return title == upper ? std::vector<std::string>{word, upper} : std::vector<std::string>{word, upper, title};
  }

  std::string read_date(const ColumnStep& column, const std::string& cell) {
    const DateTable& date = program_.dates[at(column.table)];
    const std::string missing = graph_.node("IsNaN", {cell});
    const std::string time = graph_.node("Where", {missing, graph_.number(0), cell});
    const Index each = column.scale_count / date.count;
    OnnxGraph::Names blocks;
    for (Index p = 0; p < date.count; ++p) {
      const std::string part = date_part(program_.integers[at(date.parts + p)], time, date.start);
      const std::string fill = graph_.number(program_.parameters[at(date.fills + p)]);
      const std::string v = graph_.node("Where", {missing, fill, part});
      for (Index k = 0; k < each; ++k) blocks.push_back(scaled(column.scales + p * each + k, v));
    }
    return with_indicator(column, missing, std::move(blocks));
  }

  /// As date_part() of runtime/cells.c, in doubles.
  std::string date_part(Index part, const std::string& time, double start) {
    const auto op = [&](const char* name, const std::string& a, const std::string& b) {
      return graph_.node(name, {a, b});
    };
    const auto with = [&](const char* name, const std::string& a, double b) { return op(name, a, graph_.number(b)); };
    const auto whole = [&](const std::string& a, double by) { return graph_.node("Floor", {with("Div", a, by)}); };
    if (part == 5) return with("Sub", time, start);
    const std::string days = whole(time, 86400);
    if (part == 4) return whole(op("Sub", time, with("Mul", days, 86400)), 3600);
    if (part == 3) {
      const std::string shifted = with("Add", days, 3);
      return with("Add", op("Sub", shifted, with("Mul", whole(shifted, 7), 7)), 1);
    }
    const std::string z = with("Add", days, 719468), era = whole(z, 146097);
    const std::string of_era = op("Sub", z, with("Mul", era, 146097));
    const std::string leaps =
        op("Sub", op("Add", op("Sub", of_era, whole(of_era, 1460)), whole(of_era, 36524)), whole(of_era, 146096));
    const std::string year = whole(leaps, 365);
    const std::string before = op("Sub", op("Add", with("Mul", year, 365), whole(year, 4)), whole(year, 100));
    const std::string of_year = op("Sub", of_era, before);
    const std::string m = whole(with("Add", with("Mul", of_year, 5), 2), 153);
    if (part == 2) return with("Add", op("Sub", of_year, whole(with("Add", with("Mul", m, 153), 2), 5)), 1);
    const std::string early = graph_.cast(with("GreaterOrEqual", m, 10), OnnxType::float64);  // January, February
    if (part == 1) return op("Sub", with("Add", m, 3), with("Mul", early, 12));
    return op("Add", op("Add", year, with("Mul", era, 400)), early);
  }

  const Program& program_;
  OnnxGraph& graph_;
  std::vector<Index> order_;   // the input that each column of the joined blocks is
  std::vector<double> fixed_;  // inputs that are the same for all rows, behind the others
};

}  // namespace

std::string onnx_inputs(const Program& program, OnnxGraph& graph) {
  if (program.missing == MissingCells::error)
    throw Error(ErrorKind::option, "an ONNX graph cannot refuse missing cells, as this model does", "‹missing›",
                "use ‹missing› impute, or another target");
  if (!program.unseen_ignored && !program.text_columns().empty())
    throw Error(ErrorKind::option, "an ONNX graph cannot refuse categories, as this model does", "‹unseen›",
                "use ‹unseen› ignore, or another target");
  return Cells(program, graph).inputs();
}

}  // namespace weft::detail
