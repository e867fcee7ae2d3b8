// Requests for predictions and explanations.
#pragma once

#include "serve/answer.hpp"
#include "serve/request.hpp"
#include "serve/served_model.hpp"

#include <weft/run.hpp>

#include <optional>
#include <string>

namespace weft::detail {

/// What the query of /predict asks for. JSON has probabilities wherever the model has them.
struct PredictQuery {
  std::optional<double> interval = {};
  bool interval_by_class = false;
  bool proba = false;
  bool std = false;
  bool rows = false;
  std::string keep = {};

  static auto fields() {
    using Q = PredictQuery;
    return std::tuple{
        Field{"interval", &Q::interval, Allowed::inside(0, 1),
              "share of new rows that intervals or sets of labels cover, such as 0.9"},
        Field{"interval_by_class", &Q::interval_by_class, Allowed::anything(),
              "cover this share of the rows of every class"},
        Field{"proba", &Q::proba, Allowed::anything(), "CSV: a column with the probability of every class"},
        Field{"std", &Q::std, Allowed::anything(), "CSV: columns of standard deviations"},
        Field{"rows", &Q::rows, Allowed::anything(), "CSV: a column with the number of the row"},
        Field{"keep", &Q::keep, Allowed::anything(),
              "CSV: columns to write beside the predictions, separated by commas"},
    };
  }
};

/// Rows in JSON or CSV to predictions in the same format. Throws weft::Error for what cannot be predicted; run.cancel
/// stops it.
Answer predict(const ServedModel& served, const ServeRequest& server, const Request& request, const Run& run);
/// Rows in JSON or CSV to the contributions of their variables, in JSON.
Answer explain(const ServedModel& served, const Request& request, const Run& run);

}  // namespace weft::detail
