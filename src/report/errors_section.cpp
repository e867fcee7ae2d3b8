#include "explain/estimate.hpp"
#include "report/sections.hpp"

#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

void add_estimate(ReportTable& table, const std::string& rows, const std::string& measure, const Estimate& estimate) {
  table.rows.push_back({rows, measure, number_cell(estimate.value), interval_text(estimate.low, estimate.high)});
}

void add_cross_validation(ReportTable& table, const TuneResult& search) {
  const Trial& winner = search.winner();
  const double half = 1.96 * winner.standard_error;
  add_estimate(table, fmt::format("{}-fold cross-validation", winner.fold_scores.size()), name_of(search.metric),
               {winner.score, winner.score - half, winner.score + half});
  if (search.leave_one_out)
    table.rows.push_back(
        {"leave-one-out, closed form", name_of(search.metric), number_cell(*search.leave_one_out), ""});
  if (search.generalised)
    table.rows.push_back(
        {"generalised cross-validation", name_of(search.metric), number_cell(*search.generalised), ""});
}

void add_training(ReportTable& table, const Evaluation& train) {
  const std::pair<const char*, std::optional<double> Evaluation::*> measures[] = {
      {"error", &Evaluation::error}, {"auc", &Evaluation::auc},          {"logloss", &Evaluation::logloss},
      {"brier", &Evaluation::brier}, {"mse", &Evaluation::mse},          {"mae", &Evaluation::mae},
      {"r2", &Evaluation::r2},       {"huber loss", &Evaluation::huber}, {"quantile loss", &Evaluation::pinball}};
  for (const auto& [name, member] : measures)
    if (const std::optional<double>& value = train.*member;
        value && !(train.task != Task::regression && std::string(name) == "mse"))
      table.rows.push_back({"training rows", name, number_cell(*value), ""});
  if (train.deviance)  // as the loss is measured on held-out rows: half of it
    table.rows.push_back({"training rows", "poisson loss", number_cell(0.5 * *train.deviance), ""});
}

}  // namespace

std::string interval_text(double low, double high) {
  return fmt::format("{:.4g} to {:.4g}", low, high);
}

ReportSection errors_section(const Evaluation& train, const EvaluationRows* held_out, const TuneResult* search) {
  ReportSection section{.heading = "Errors"};
  ReportTable table{.caption = "Measures, with 95 % intervals on held-out rows",
                    .columns = {"rows", "measure", "value", "95 % interval"}};
  if (held_out != nullptr)
    for (const auto& [name, estimate] : held_out_estimates(held_out->predictions).measures)
      add_estimate(table, fmt::format("{} {}", held_out->predictions.rows(), held_out->name), name, estimate);
  if (search != nullptr) {
    add_cross_validation(table, *search);
    section.paragraphs.emplace_back(
        "The cross-validated score is that of the configuration chosen for it, so it is slightly optimistic; rows not "
        "used in the search give an unbiased estimate.");
  }
  if (train.rows > 0) add_training(table, train);
  section.tables.push_back(std::move(table));
  if (held_out == nullptr)
    section.paragraphs.emplace_back(
        "No rows were held out. Give ‹holdout› 0.25 or ‹test› FILE to evaluate the model on new rows.");
  return section;
}

}  // namespace weft::detail
