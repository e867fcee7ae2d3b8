#include "call.hpp"
#include "options.hpp"
#include "table.hpp"

#include <weft/row_predictor.hpp>
#include <weft/version.hpp>

#include <algorithm>

struct weft_model {
  explicit weft_model(weft::Model fitted) : model(std::move(fitted)), rows(model), value_names(model.value_names()) {
    json = model.to_json();
  }

  weft::Model model;
  weft::RowPredictor rows;
  std::vector<std::string> value_names;
  std::string json;
};

namespace weft::c {

namespace {

const char* text_at(const std::vector<std::string>& texts, std::size_t position) {
  return position < texts.size() ? texts[position].c_str() : nullptr;
}

std::span<const Cell> cells_of(const weft_cell* cells, std::size_t count) {
  thread_local std::vector<Cell> row;
  row.clear();
  for (std::size_t c = 0; c < count; ++c)
    row.push_back(cells[c].text != nullptr ? Cell(cells[c].text) : Cell(cells[c].number));
  return row;
}

void predict(const weft_model& model, const weft_table& table, double* values, double* probabilities, const Run& run) {
  if (probabilities != nullptr) model.model.check_probabilities("probabilities");
  model.model.for_each_prediction(
      data_of(table, {}), {},
      [&](const PredictionBlock& block) {
        const auto copy = [&](const Matrix& from, double* to) {
          std::copy_n(from.data(), from.rows() * from.cols(), to + block.first_row * from.cols());
        };
        copy(block.values, values);
        if (probabilities != nullptr) copy(block.probabilities, probabilities);
      },
      run);
}

}  // namespace

}  // namespace weft::c

using namespace weft::c;

const char* weft_version(void) {
  return weft::version();
}

weft_model* weft_model_load(const char* path, weft_error** error) {
  return call<weft_model*>(error, nullptr, [&] {
    require(path, "path");
    return new weft_model(weft::Model::load(path));
  });
}

int weft_model_save(const weft_model* model, const char* path, weft_error** error) {
  return call(error, 1, [&] {
    require(model, "model");
    require(path, "path");
    model->model.save(path);
    return 0;
  });
}

void weft_model_free(weft_model* model) {
  delete model;
}

const char* weft_model_json(const weft_model* model) {
  return model->json.c_str();
}

size_t weft_model_columns(const weft_model* model) {
  return model->rows.columns().size();
}

const char* weft_model_column(const weft_model* model, size_t column) {
  return text_at(model->rows.columns(), column);
}

size_t weft_model_values(const weft_model* model) {
  return model->model.target().classes.empty() ? model->value_names.size() : 1;
}

const char* weft_model_value(const weft_model* model, size_t value) {
  return text_at(model->value_names, value);
}

size_t weft_model_classes(const weft_model* model) {
  return model->model.target().classes.size();
}

const char* weft_model_class(const weft_model* model, size_t position) {
  return text_at(model->model.target().classes, position);
}

int weft_model_has_probabilities(const weft_model* model) {
  return model->model.has_probabilities() ? 1 : 0;
}

int weft_predict_row(const weft_model* model, const weft_cell* cells, size_t count, double* values,
                     double* probabilities, weft_error** error) {
  return call(error, 1, [&] {
    require(model, "model");
    require(cells, "cells");
    require(values, "values");
    if (probabilities != nullptr) model->model.check_probabilities("probabilities");
    thread_local weft::RowPrediction prediction;
    model->rows.predict(cells_of(cells, count), prediction);
    std::copy(prediction.values.begin(), prediction.values.end(), values);
    if (probabilities != nullptr)
      std::copy(prediction.probabilities.begin(), prediction.probabilities.end(), probabilities);
    return 0;
  });
}

int weft_predict(const weft_model* model, const weft_table* table, double* values, double* probabilities,
                 const weft_callbacks* callbacks, weft_error** error) {
  return call(error, 1, [&] {
    require(model, "model");
    require(table, "table");
    require(values, "values");
    Job job(callbacks);
    predict(*model, *table, values, probabilities, job.run({}));
    job.tell_warnings();
    return 0;
  });
}

weft_model* weft_train(const weft_table* table, const char* target, const char* const* options, size_t count,
                       const weft_callbacks* callbacks, weft_error** error) {
  return call<weft_model*>(error, nullptr, [&] {
    require(table, "table");
    require(target, "target");
    if (count > 0) require(options, "options");
    TrainOptions chosen = train_options({options, options + count});
    chosen.read.target = target;
    Job job(callbacks);
    auto model = std::make_unique<weft_model>(
        weft::fit({data_of(*table, chosen.read), chosen.family, chosen.fit, chosen.encode, job.run(chosen.run)}));
    job.tell_warnings();
    return model.release();
  });
}
