#include "serve/predictions.hpp"

#include <weft/predicted_table.hpp>

#include "core/at.hpp"
#include "core/printable.hpp"
#include "data/readers/csv_text.hpp"
#include "model/intervals.hpp"
#include "serve/query_fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

namespace {

constexpr Index kMostExplained = 100;

enum class BodyFormat { json, csv, tsv };

/// Thrown where the format is none of these: the only mistake with a status of its own.
struct UnsupportedType {};

BodyFormat format_of(const Request& request) {
  std::string_view type = request.header("content-type");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (!request.header("content-encoding").empty() && !same_word(request.header("content-encoding"), "identity"))
    throw UnsupportedType{};
  if (same_word(type, "application/json")) return BodyFormat::json;
  if (same_word(type, "text/csv")) return BodyFormat::csv;
  if (same_word(type, "text/tab-separated-values")) return BodyFormat::tsv;
  throw UnsupportedType{};
}

Answer unsupported_type() {
  return refusal(
      415, "the body is neither JSON nor CSV by its Content-Type, or it is compressed",
      "send Content-Type: application/json, text/csv or text/tab-separated-values, without Content-Encoding");
}

[[noreturn]] void throw_too_many(Index most, const char* remedy) {
  throw Error(ErrorKind::memory, fmt::format("there are more than {} rows", most), "body", remedy);
}

PredictOptions predict_options(const PredictQuery& query, const ServedModel& served) {
  PredictOptions options = served.options;
  options.with_std = query.std;
  if (query.interval) options.intervals.interval = query.interval;
  if (query.interval_by_class) options.intervals.interval_by_class = true;
  return options;
}

/// One row's prediction as JSON.
class RowWriter {
 public:
  RowWriter(const ServedModel& served, const PredictOptions& options)
      : served_(served), intervals_(served.model, options), wanted_(options.intervals.interval) {}

  void append(const RowPrediction& row, std::string& json) {
    json += "{\"values\": {";
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      json += (k > 0 ? ", " : "") + served_.values[k] + ": ";
      if (served_.is_classification())
        json += served_.classes[at(static_cast<Index>(row.values[k]))];
      else
        append_json_number(row.values[k], json);
    }
    json += "}";
    if (!row.probabilities.empty()) append_probabilities(row.probabilities, json);
    if (wanted_) append_interval(row, json);
    json += "}";
  }

  std::string note() const { return intervals_.note(); }

 private:
  void append_probabilities(const std::vector<double>& probabilities, std::string& json) const {
    json += ", \"probabilities\": {";
    for (std::size_t k = 0; k < probabilities.size(); ++k) {
      json += (k > 0 ? ", " : "") + served_.classes[k] + ": ";
      append_json_number(probabilities[k], json);
    }
    json += "}";
  }

  void append_interval(const RowPrediction& row, std::string& json) {
    block_.scores.reshape(1, static_cast<Index>(row.scores.size()));
    for (auto [numbers, to] : {std::pair{&row.values, &block_.values}, {&row.probabilities, &block_.probabilities}}) {
      to->reshape(1, static_cast<Index>(numbers->size()));
      std::copy(numbers->begin(), numbers->end(), to->data());
    }
    intervals_.write(block_);
    const bool numbers = block_.lower.rows() > 0;
    json += numbers ? ", \"interval\": {" : ", \"set\": [";
    const char* between = "";
    for (Index k = 0; k < block_.lower.cols() && numbers; ++k) {
      json += between + served_.values[at(k)] + ": [";
      append_json_number(block_.lower(0, k), json);
      json += ", ";
      append_json_number(block_.upper(0, k), json);
      json += "]";
      between = ", ";
    }
    for (Index k = 0; k < block_.sets.cols() && !numbers; ++k) {
      if (block_.sets(0, k) != 1) continue;
      json += between + served_.classes[at(k)];
      between = ", ";
    }
    json += numbers ? "}" : "]";
  }

  const ServedModel& served_;
  Intervals intervals_;
  bool wanted_;
  PredictionBlock block_;
};

/// The library says "the row" of a cell that it cannot use.
void predict_row(const ServedModel& served, Index row, std::span<const Cell> cells, RowPrediction& prediction) {
  try {
    served.predictor.predict(cells, prediction);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), fmt::format("row {}", row + 1), error.hint());
  }
}

void append_notes(const std::vector<std::string>& notes, std::string& json) {
  if (notes.empty()) return;
  json += ", \"notes\": [";
  for (std::size_t k = 0; k < notes.size(); ++k) json += (k > 0 ? ", " : "") + json_string(notes[k]);
  json += "]";
}

Answer predict_json(const ServedModel& served, const ServeRequest& server, const PredictQuery& query,
                    std::string_view body, const Run& run) {
  for (const auto& [given, name] : {std::pair{query.std, "std"}, {query.rows, "rows"}, {!query.keep.empty(), "keep"}})
    if (given) throw Error(ErrorKind::option, "this is for CSV alone", name, "send text/csv, or leave it out");
  RowWriter writer(served, predict_options(query, served));
  Index missing = 0, unseen = 0;
  RowPrediction prediction;
  Answer answer{.body = "{\"model\": \"" + served.id + "\", \"predictions\": ["};
  for_each_json_row(body, served.columns, server.options.max_rows, [&](Index row, std::span<const Cell> cells) {
    run.check_cancelled();
    predict_row(served, row, cells, prediction);
    missing += prediction.missing;
    unseen += prediction.unseen;
    if (row > 0) answer.body += ",\n  ";
    writer.append(prediction, answer.body);
  });
  answer.body += "]";
  std::vector<std::string> notes;
  if (missing > 0) notes.push_back(fmt::format("{} cells are missing where training had no missing ones", missing));
  if (unseen > 0) notes.push_back(fmt::format("{} cells hold categories that training did not see", unseen));
  if (const std::string note = writer.note(); !note.empty()) notes.push_back(note);
  append_notes(notes, answer.body);
  answer.body += "}\n";
  return answer;
}

/// A header holds one line of visible ASCII.
std::string header_text(const std::string& text) {
  std::string result;
  for (const char c : printable_text(text, true)) result += c >= ' ' && c < 0x7F ? c : '?';
  return result;
}

Data csv_body(const ServedModel& served, std::string_view body, BodyFormat format) {
  return csv_text(std::string(body), "body", served.model.read_options(), format == BodyFormat::tsv);
}

Answer predict_csv(const ServedModel& served, const ServeRequest& server, const PredictQuery& query, const Data& data,
                   Run run) {
  Answer answer{.type = "text/csv; charset=utf-8"};
  run.on_warning = [&](const std::string& line) { answer.headers.emplace_back("Weft-Note", header_text(line)); };
  if (query.proba) served.model.check_probabilities();
  const PredictOptions options = predict_options(query, served);
  const PredictedColumns columns = {
      .proba = query.proba, .std = query.std, .interval = options.intervals.interval.has_value(), .rows = query.rows};
  PredictedTable table(served.model, columns, [&](std::vector<std::string> names, const std::vector<CellType>&) {
    return TableWriter(answer.body, std::move(names));
  });
  CarriedColumns kept(data, query.keep);
  served.model.for_each_prediction(
      kept.data(), options,
      [&](const PredictionBlock& block) {
        if (block.first_row + block.rows() > server.options.max_rows)
          throw_too_many(server.options.max_rows,
                         "send fewer rows at a time, or start the server with a larger ‹max_rows›");
        table.append(block, {kept.names(), kept.take(block.rows())});
      },
      run);
  table.commit(kept.names());
  return answer;
}

/// Rows in JSON as a CSV table. Their cells can be used: they have been predicted.
Data table_of_json(const ServedModel& served, std::string_view body) {
  std::string text;
  TableWriter writer(text, served.columns.names());
  RowPrediction prediction;
  for_each_json_row(body, served.columns, kMostExplained, [&](Index row, std::span<const Cell> cells) {
    predict_row(served, row, cells, prediction);
    std::vector<std::string> texts;
    for (const Cell& cell : cells)
      texts.push_back(cell.is_text()              ? std::string(cell.text())
                      : std::isnan(cell.number()) ? ""
                                                  : fmt::format("{}", cell.number()));
    writer.append_text({texts});
  });
  writer.commit();
  return csv_text(std::move(text), "body",
                  {.header = HeaderLine::yes, .delimiter = ",", .decimal = DecimalMark::point});
}

}  // namespace

Answer predict(const ServedModel& served, const ServeRequest& server, const Request& request, const Run& run) try {
  const BodyFormat format = format_of(request);
  const auto query = query_fields<PredictQuery>(request.query);
  if (format == BodyFormat::json) return predict_json(served, server, query, request.body, run);
  return predict_csv(served, server, query, csv_body(served, request.body, format), run);
} catch (const UnsupportedType&) {
  return unsupported_type();
}

Answer explain(const ServedModel& served, const Request& request, const Run& run) try {
  const BodyFormat format = format_of(request);
  if (!request.query.empty())
    throw Error(ErrorKind::option, "explanations have no options", "query", "leave out what follows the question mark");
  const Data data =
      format == BodyFormat::json ? table_of_json(served, request.body) : csv_body(served, request.body, format);
  const std::vector<RowExplanation> rows = served.explainer.explain(data.rows(0, kMostExplained + 1), run);
  if (static_cast<Index>(rows.size()) > kMostExplained) throw_too_many(kMostExplained, "send fewer at a time");
  Answer answer{.body = "{\"model\": \"" + served.id + "\", \"explanations\": ["};
  for (std::size_t k = 0; k < rows.size(); ++k) answer.body += (k > 0 ? ",\n" : "\n") + rows[k].to_json();
  answer.body += "]}\n";
  return answer;
} catch (const UnsupportedType&) {
  return unsupported_type();
}

}  // namespace weft::detail
