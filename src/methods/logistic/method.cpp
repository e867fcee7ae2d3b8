#include "methods/method.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/logistic/logistic.hpp"

namespace weft::detail {

namespace {

Loss loss(const FitOptions&, Task) {
  return Loss(Loss::Kind::logistic);
}

double check_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  return check_sums_memory(kSumsMatrices, size, run);
}

}  // namespace

const Method& logistic_method() {
  static const Method row{
      .name = "logistic",
      .help = "logistic regression, softmax where there are more than two classes",
      .options = LogisticOptions{},
      .run = fit_logistic,
      .loss = loss,
      .check_memory = check_memory,
      .minimises = true,
  };
  return row;
}

}  // namespace weft::detail
