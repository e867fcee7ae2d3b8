#include <algorithm>
#include <numeric>

#include "core/at.hpp"
#include "data/encode/column_role.hpp"
#include "export/program.hpp"

namespace weft::detail {

namespace {

CellReader reader_of(const Variable& variable) {
  if (variable.unused()) return CellReader::unused;
  switch (role_of(variable)) {
    case Role::boolean:
      return CellReader::boolean;
    case Role::date:
      return CellReader::date;
    case Role::category:
      return CellReader::category;
    default:
      return CellReader::number;
  }
}

class EncoderProgram {
 public:
  explicit EncoderProgram(Program& program) : program_(program) {}

  void add(const Variable& variable) {
    ColumnStep step;
    step.name = variable.name;
    step.reader = reader_of(variable);
    step.input = inputs_;
    step.fill = variable.fill;
    step.scales = scales(variable.scalers);
    step.scale_count = static_cast<Index>(variable.scalers.size());
    if (step.reader == CellReader::number) step.cell = numbers_++;
    if (step.is_text()) step.cell = texts_++;
    if (step.reader == CellReader::date) step.table = dates(*variable.dates);
    if (step.reader == CellReader::category) step.table = levels(variable);
    inputs_ += variable.columns();
    if (variable.indicator) {
      step.indicator = scales({*variable.indicator});
      step.indicator_input = inputs_ - 1;
    }
    program_.columns.push_back(std::move(step));
  }

 private:
  Index scales(const std::vector<Scaler>& scalers) {
    const auto first = static_cast<Index>(program_.scales.size());
    for (const Scaler& scaler : scalers) {
      ScaleStep step{scaler.shift(), scaler.factor()};
      if (!scaler.values().empty()) {
        step.count = static_cast<Index>(scaler.values().size());
        step.knots = program_.add(scaler.values());
        program_.add(scaler.scores());
      }
      program_.scales.push_back(step);
    }
    return first;
  }

  Index dates(const DateParts& dates) {
    std::vector<Index> parts;
    for (const DatePart part : dates.parts) parts.push_back(static_cast<Index>(part));
    const auto count = static_cast<Index>(parts.size());
    program_.dates.push_back({dates.start, program_.add(parts), count, program_.add(dates.fills)});
    return static_cast<Index>(program_.dates.size()) - 1;
  }

  Index levels(const Variable& variable) {
    LevelTable table;
    add_labels(variable.categories, table);
    add_numbers(variable.categories, table);
    if (variable.many) {
      const ManyLevels& many = *variable.many;
      table.one_hot = program_.add(many.one_hot);
      table.effects = program_.add(many.effects.data(), many.effects.rows() * many.effects.cols());
      table.effect_count = many.columns();
      table.effect_scales = scales(many.scalers);
    }
    program_.levels.push_back(table);
    return static_cast<Index>(program_.levels.size()) - 1;
  }

  void add_labels(const Categories& categories, LevelTable& table) {
    std::vector<Index> order(at(categories.size()));
    std::iota(order.begin(), order.end(), 0);
    const std::vector<std::string>& labels = categories.labels();
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return labels[at(a)] < labels[at(b)]; });
    table.labels = static_cast<Index>(program_.labels.size());
    table.count = categories.size();
    table.positions = program_.add(order);
    for (const Index position : order) program_.labels.push_back(labels[at(position)]);
  }

  // Two labels may be one number; the encoder says which one it means.
  void add_numbers(const Categories& categories, LevelTable& table) {
    std::vector<double> numbers;
    for (const std::string& label : categories.labels())
      if (const std::optional<double> number = parse_number(label)) numbers.push_back(*number);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::vector<Index> positions;
    for (const double number : numbers) positions.push_back(categories.find(number));
    table.number_count = static_cast<Index>(numbers.size());
    table.numbers = program_.add(numbers);
    table.number_positions = program_.add(positions);
  }

  Program& program_;
  Index inputs_ = 0;
  Index numbers_ = 0;
  Index texts_ = 0;
};

}  // namespace

void add_encoder(const Encoder& encoder, Program& program) {
  const Encoder::State& state = encoder.state();
  program.bias = state.inputs.bias;
  program.missing = state.options.missing;
  program.unseen_ignored = state.options.unseen == UnseenCategories::ignore;
  EncoderProgram columns(program);
  for (const Variable& variable : state.variables) columns.add(variable);
}

}  // namespace weft::detail
