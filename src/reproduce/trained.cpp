#include "reproduce/trained.hpp"

#include "core/stopwatch.hpp"

#include <map>

namespace weft {

Trained train_and_test(const DataSplit& data, const FamilyOptions& family, const FitOptions& options,
                       const EncodeOptions& encode, const Run& run) {
  const Stopwatch fitting;
  Model model = fit(data.train, family, options, encode, run);
  const double fit_seconds = fitting.seconds();
  const Stopwatch predicting;
  Evaluation test = evaluate(model, data.test, run);
  const double predict_seconds = predicting.seconds();
  Evaluation train = evaluate(model, data.train, run);
  return {std::move(model), std::move(train), std::move(test), fit_seconds, predict_seconds};
}

double loss_of(const Evaluation& evaluation, double variance) {
  return evaluation.error ? *evaluation.error : evaluation.mse.value() / variance;
}

double target_variance(const DataFolder& folder, const std::string& set) {
  if (is_classification(set)) return 1;
  const Data data = folder.open(set);
  const auto reader = data.open();
  const Index column = find_column(reader->columns(), "target", "--target", data.name());
  double count = 0, mean = 0, squares = 0;  // Welford: targets such as years have a mean far from 0
  RawBlock block;
  while (reader->next(block, 4096))
    for (Index i = 0; i < block.rows(); ++i) {
      const double value = block.cells(i, column);
      const double before = value - mean;
      mean += before / ++count;
      squares += before * (value - mean);
    }
  return squares / count;
}

Data some_rows(const Data& data, Index rows, std::uint64_t seed) {
  const Index all = rows == 0 ? 0 : count_rows(data);
  if (all <= rows) return data;
  const double kept = static_cast<double>(rows) / static_cast<double>(all);
  return select_rows(data, split(all, {}, {.holdout = kept, .seed = seed}), 1);
}

std::string paper_name(const std::string& set) {
  static const std::map<std::string, std::string> names = {
      {"adult", "adults"},    {"breast_cancer", "cancer"},       {"bank_marketing", "marketing"},
      {"magic", "telescope"}, {"california_housing", "housing"}, {"superconductivity", "conductivity"}};
  const auto found = names.find(set);
  return found == names.end() ? set : found->second;
}

const std::vector<PaperFamily>& paper_families() {
  static const std::vector<PaperFamily> families = {{"rw-sign", "RWSign"},        {"rw-relu", "RWRelu"},
                                                    {"rw-exp-sign", "RWExpSign"}, {"rw-exp-relu", "RWExpRelu"},
                                                    {"rw-stumps", "RWStumps"},    {"rks-sign", "RWSign", true},
                                                    {"rks-relu", "RWRelu", true}, {"rks-stumps", "RWStumps", true}};
  return families;
}

}  // namespace weft
