#include "trained.hpp"

#include "stopwatch.hpp"

#include <algorithm>
#include <map>

namespace weft::papers {

namespace {

double target_variance(const DataFolder& folder, const std::string& set) {
  if (is_classification(set)) return 1;
  const Data data = folder.open(set);
  const auto reader = data.open();
  const auto& columns = reader->columns();
  const auto target =
      std::find_if(columns.begin(), columns.end(), [](const Column& column) { return column.name == "target"; });
  if (target == columns.end()) throw Error(ErrorKind::data, "no column is called target", data.name());
  double count = 0, mean = 0, squares = 0;  // Welford: targets such as years have a mean far from 0
  RawBlock block;
  while (reader->next(block, 4096))
    for (Index i = 0; i < block.rows(); ++i) {
      const double value = block.columns(target - columns.begin(), i);
      const double before = value - mean;
      mean += before / ++count;
      squares += before * (value - mean);
    }
  return squares / count;
}

}  // namespace

CellData open_cell(const Json& key, const Bench& bench) {
  const std::string set = text_of(key, "set");
  const auto seed = static_cast<std::uint64_t>(integer_of(key, "seed"));
  CellData cell{bench.data.split(set, seed, bench.run), encoding_of(set), target_variance(bench.data, set), seed};
  cell.data.train = some_rows(cell.data.train, key.value("rows", Index{0}), seed);
  cell.encode.unseen = UnseenCategories::ignore;
  if (key.contains("scale")) cell.encode.scale = choice_of<Scaling>(key, "scale");
  return cell;
}

FamilyOptions drawn(const std::string& family, Index features, const CellData& cell) {
  FamilyOptions options;
  options.family = family;
  options.features = features;
  options.seed = cell.seed;
  return options;
}

Trained train_and_test(const CellData& cell, const FamilyOptions& family, const FitOptions& fit, const Run& run) {
  return train_and_test(cell, {cell.data.train, family, fit, cell.encode, run});
}

Trained train_and_test(const CellData& cell, const FitRequest& request) {
  const Run& run = request.run;
  const Stopwatch fitting;
  Model model = fit(request);
  const double fit_seconds = fitting.seconds();
  const Stopwatch predicting;
  Evaluation test = evaluate(model, cell.data.test, run);
  const double predict_seconds = predicting.seconds();
  Evaluation train = evaluate(model, cell.data.train, run);
  return {std::move(model), std::move(train), std::move(test), fit_seconds, predict_seconds};
}

Tuned tune_and_test(const CellData& cell, const FamilyOptions& family, Index configurations, const Run& run) {
  // σ of sign and ReLU features without a kernel is a factor that λ absorbs: there is nothing to search.
  const bool only_lambda = family.family == "rks-sign" || family.family == "rks-relu";
  TuneOptions search;
  search.configurations = only_lambda ? 1 : configurations;
  const TuneRequest request{cell.data.train, family, {}, cell.encode, search, run};
  const TuneResult tuned = tune(request);
  FitRequest winner = winner_request(request, tuned);
  winner.alternatives = 1;  // the papers' bounds do not count what their searches tried
  return {tuned.winner(), train_and_test(cell, winner)};
}

double loss_of(const Evaluation& evaluation, double variance) {
  return evaluation.error ? *evaluation.error : evaluation.mse.value() / variance;
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

}  // namespace weft::papers
