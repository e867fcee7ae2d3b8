// The search: candidates in batches of one family, in turn, until all are validated or the time limit is reached.
#include <weft/distributed.hpp>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "data/rows/training_rows.hpp"
#include "features/draws.hpp"
#include "methods/method.hpp"
#include "train/fit_rows.hpp"
#include "train/search/dealt_trials.hpp"
#include "train/search/feature_curve.hpp"
#include "train/search/left_out.hpp"
#include "train/search/refits.hpp"
#include "train/search/rung.hpp"
#include "train/search/shared_sums.hpp"
#include "train/search/trial_log.hpp"
#include "train/search/winner_analysis.hpp"
#include "train/useful_threads.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

constexpr std::size_t kLargestBatch = 8;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

class Search {
 public:
  /// Configurations are dealt out to the processes; null: there are no others.
  Search(const TuneRequest& request, const Encoder& encoder, const BlockSource& rows, Metric metric, const Run& run,
         Communicator* processes)
      : dealt_(processes),
        encoder_(encoder),
        rows_(rows),
        fit_(request.fit),
        method_(method_of(fit_)),
        options_(request.options),
        run_(run),
        on_trial_(request.on_trial),
        on_stop_(request.on_stop),
        features_(method_.centres == nullptr ? *request.family.features : method_.centres(fit_)),
        by_sums_(validated_by(request.family, fit_, rows) == ValidatedBy::shared_sums),
        all_(make_validation(rows, encoder.target(), metric, options_.folds, request.family.seed, run)),
        log_(dealt_.first() ? *options_.log : "",
             identity_of(encoder, rows.rule(), request.family, fit_, options_, metric)) {
    if (processes != nullptr) log_.share(*processes);
    check_use();
    result_.notes = rule_notes(all_, options_.folds);
    check_memory();
    result_.metric = metric;
    result_.encoder = encoder;
    result_.larger_is_better = larger_is_better(metric);
    const std::vector<FamilyOptions> all = fitted_families(request.family, fit_, result_.notes);
    const std::optional<double> bandwidth = searched_bandwidth(request.family);
    check_ranges(all, fit_, options_, bandwidth.has_value());
    for (std::size_t f = 0; f < all.size(); ++f) {
      families_.push_back(candidates(all[f], fit_, options_, bandwidth));
      for (Candidate& candidate : families_.back())
        candidate.number = candidate.number * static_cast<Index>(all.size()) + static_cast<Index>(f);
      result_.planned += static_cast<Index>(families_.back().size());
    }
  }

  TuneResult run(std::uint64_t seed) {
    const Stopwatch clock;
    try {
      validate_all(seed);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled && on_stop_ && !result_.ranking().empty()) {
        choose();
        result_.seconds = clock.seconds();
        on_stop_(result_);
      }
      throw;
    }
    choose();
    if (by_sums_ && dealt_.first()) analyse_winner();
    result_.seconds = clock.seconds();
    result_.saved_by_projections = sharing_.projecting_alone - sharing_.projecting;
    result_.saved_by_sums = sharing_.accumulating_alone - sharing_.accumulating;
    return std::move(result_);
  }

 private:
  void validate_all(std::uint64_t seed) {
    const std::vector<double> rungs =
        options_.search == SearchStrategy::halving ? rung_fractions(all_, features_) : std::vector<double>{1};
    double left = static_cast<double>(result_.planned);
    for (std::size_t k = 0; k < rungs.size(); ++k, left = std::ceil(left / kRungFactor)) to_validate_ += left;
    show_progress();
    for (const double fraction : rungs) {
      if (fraction == 1) {
        validate_rung(all_, 1);
      } else {
        const Rung rung = make_rung(fraction, rows_, all_, encoder_.target(), seed);
        validate_rung(rung.validation, fraction);
        keep_the_best_third(fraction);
      }
      if (result_.out_of_time) break;
    }
  }

  std::optional<double> searched_bandwidth(const FamilyOptions& family) const {
    if (method_.searched_bandwidth == nullptr) return std::nullopt;
    return method_.searched_bandwidth({family, fit_, encoder_.inputs(), {rows_, rows_}, all_.targets.task, run_});
  }

  /// Families take turns, so that some of each are evaluated before a time limit. Batches grow: what is validated
  /// together shares its projections, but is finished together too.
  void validate_rung(const Validation& validation, double fraction) {
    std::vector<std::deque<Candidate>> open;
    for (const std::vector<Candidate>& family : families_) open.push_back(resume(family, fraction));
    const std::size_t at_once = dealt_.least(batches_at_once(validation));
    const std::size_t largest = dealt_.least(largest_batch(validation, at_once));
    for (std::size_t size = 1; !result_.out_of_time; size = std::min(2 * size, largest)) {
      const std::vector<std::vector<Candidate>> round = next_round(open, size, at_once * dealt_.processes());
      if (round.empty()) return;
      validate_round(dealt_.own(round), validation, fraction, at_once);
      if (!dealt_.alone()) finish_together(round, fraction);
    }
  }

  /// Candidates that the log does not know; those it knows become trials.
  std::deque<Candidate> resume(const std::vector<Candidate>& family, double fraction) {
    std::deque<Candidate> open;
    for (const Candidate& candidate : family) {
      Trial wanted = trial_of(candidate, fit_);
      wanted.rows = fraction;
      const Trial* known = log_.find(wanted);
      if (known == nullptr) {
        open.push_back(candidate);
        continue;
      }
      Trial trial = *known;
      trial.family = wanted.family;
      trial.kernel = wanted.kernel;
      ++result_.resumed;
      record(trial);
    }
    return open;
  }

  void validate_round(const std::vector<std::vector<Candidate>>& round, const Validation& validation, double fraction,
                      std::size_t at_once) {
    run_.check_cancelled();
    if (by_sums_) {
      validate_by_sums(round, validation, fraction, at_once);
    } else {
      for (const std::vector<Candidate>& batch : round)
        for (const Candidate& candidate : batch) {
          if (result_.out_of_time) return;
          std::optional<Trial> trial = validate_alone(candidate, validation);
          result_.out_of_time = !trial || run_.out_of_time();
          if (trial) finish(*std::move(trial), fraction);
        }
    }
  }

  /// Every thread takes a batch of its own: it needs nothing of the others, where threads that share the blocks of one
  /// batch wait for each other and for each other's caches.
  void validate_by_sums(const std::vector<std::vector<Candidate>>& round, const Validation& validation, double fraction,
                        std::size_t at_once) {
    std::vector<std::optional<std::vector<Trial>>> trials(round.size());
    std::vector<Sharing> sharing(round.size());
    Run run = run_;
    if (round.size() > 1 && at_once > 1)
      run.on_progress = {};  // progress is not reported for several batches at a time
    std::exception_ptr stopped;
    try {
      parallel_for(static_cast<Index>(round.size()), static_cast<int>(at_once), [&](Index k) {
        const auto at = static_cast<std::size_t>(k);
        run.check_cancelled();
        trials[at] = validate_batch(round[at], encoder_.inputs(), validation, fit_, options_.lambdas, run, sharing[at]);
      });
    } catch (...) {
      stopped = std::current_exception();  // batches that were finished by then are kept
    }
    for (std::size_t k = 0; k < round.size(); ++k) {
      sharing_.add(sharing[k], static_cast<double>(std::min(at_once, round.size())));
      if (trials[k])
        for (Trial& trial : *trials[k]) finish(std::move(trial), fraction);
      else
        result_.out_of_time = true;
    }
    if (stopped) std::rethrow_exception(stopped);
    result_.out_of_time = result_.out_of_time || run_.out_of_time();
  }

  void finish_together(const DealtTrials::Round& round, double fraction) {
    for (Trial& trial : dealt_.exchange(round, fit_)) record_finished(std::move(trial), fraction);
    result_.out_of_time = dealt_.on_any(result_.out_of_time);
  }

  void finish(Trial trial, double fraction) {
    if (!dealt_.alone()) return dealt_.add(std::move(trial));
    record_finished(std::move(trial), fraction);
  }

  void record_finished(Trial trial, double fraction) {
    trial.rows = fraction;
    log_.append(trial);
    record(trial);
    if (on_trial_) on_trial_(trial);
    show_progress();
  }

  void show_progress() const {
    const std::vector<std::size_t> order = result_.ranking();
    const Trial* best = order.empty() ? nullptr : &result_.trials[order.front()];
    run_.report_search(
        "configurations", validated_, to_validate_,
        best == nullptr ? "" : fmt::format("{} {:.4g} ({})", name_of(result_.metric), best->score, best->name()));
  }

  std::optional<Trial> validate_alone(const Candidate& candidate, const Validation& validation) const {
    const bool left_out = validated_by(candidate.family, fit_, validation.rows) == ValidatedBy::left_out;
    try {
      return (left_out ? validate_left_out : validate_by_refits)(candidate, encoder_.inputs(), validation, fit_, run_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      Trial trial = trial_of(candidate, fit_);
      trial.failure = error.what();  // as in a batch: one that cannot be solved must not end a search of many
      return trial;
    }
  }

  void record(const Trial& trial) {
    ++validated_;
    const auto same = std::find_if(result_.trials.begin(), result_.trials.end(),
                                   [&](const Trial& other) { return other.number == trial.number; });
    if (same == result_.trials.end())
      result_.trials.push_back(trial);
    else
      *same = trial;  // validated again on more rows
  }

  /// What one configuration holds.
  double bytes_each(const Validation& validation) const {
    const double lambdas = fit_.lambda ? 1 : static_cast<double>(options_.lambdas);
    return batch_bytes(static_cast<double>(features_), static_cast<double>(validation.targets.rows()),
                       static_cast<double>(validation.targets.outputs()), lambdas,
                       static_cast<double>(validation.folds.parts), validation.metric == Metric::mse);
  }

  void check_use() const {
    if (options_.smallest.given() && !by_sums_)
      throw Error(ErrorKind::option, "this search has no scores for fewer features", "‹smallest›",
                  "leave it out, or use ‹fit› least-squares on features that are drawn");
  }

  void check_memory() const {
    if (method_.kernel_machine) {
      FitOptions options = fit_;
      if (options_.lambdas == 1 && !options.lambda) options.lambda = 1;  // any: it is drawn, and no path is held
      method_.check_memory(options, {0, rows_.rows(), encoder_.inputs().columns()}, run_);
    }
    if (!by_sums_) return;
    const auto features = static_cast<double>(features_);
    MemoryPlan plan(run_);
    plan.hold("the sums of the folds", bytes_each(all_) / sizeof(double));
    plan.hold("the equations of the current fold", 4 * features * features);
    plan.check(fmt::format("the sums of {} folds of {} features", all_.folds.parts, features_), "‹features›",
               "use fewer features or folds");
  }

  /// Configurations that may be held at once.
  double most_at_once(const Validation& validation) const { return MemoryPlan(run_).spare() / bytes_each(validation); }

  std::size_t batches_at_once(const Validation& validation) const {
    return by_sums_ ? static_cast<std::size_t>(
                          std::clamp(most_at_once(validation), 1.0, static_cast<double>(run_.thread_count())))
                    : 1;
  }

  std::size_t largest_batch(const Validation& validation, std::size_t at_once) const {
    return static_cast<std::size_t>(
        std::clamp(most_at_once(validation) / static_cast<double>(at_once), 1.0, static_cast<double>(kLargestBatch)));
  }

  /// Over all families together: a family whose best configuration is behind on few rows is not tried on many.
  void keep_the_best_third(double fraction) {
    std::vector<Trial> best;
    for (const Trial& trial : result_.trials)
      if (trial.rows == fraction) best.push_back(trial);
    std::stable_sort(best.begin(), best.end(),
                     [&](const Trial& a, const Trial& b) { return better(all_.metric, score_of(a), score_of(b)); });
    best.resize(static_cast<std::size_t>(std::ceil(static_cast<double>(best.size()) / kRungFactor)));
    for (std::vector<Candidate>& family : families_)
      std::erase_if(family, [&](const Candidate& candidate) {
        return std::none_of(best.begin(), best.end(),
                            [&](const Trial& trial) { return trial.number == candidate.number; });
      });
  }

  static double score_of(const Trial& trial) {
    return trial.failed() ? std::numeric_limits<double>::quiet_NaN() : trial.score;
  }

  void choose() {
    std::sort(result_.trials.begin(), result_.trials.end(),
              [](const Trial& a, const Trial& b) { return a.number < b.number; });
    const Trial* best = nullptr;
    double most_rows = 0;
    for (const Trial& trial : result_.trials)
      if (!trial.failed() && !std::isnan(trial.score)) most_rows = std::max(most_rows, trial.rows);
    for (const Trial& trial : result_.trials)
      if (trial.rows == most_rows && (best == nullptr || better(all_.metric, score_of(trial), score_of(*best))))
        best = &trial;
    if (best != nullptr) {
      result_.best = static_cast<std::size_t>(best - result_.trials.data());
      return;
    }
    if (result_.out_of_time)
      throw Error(ErrorKind::option, "time limit reached before one configuration was evaluated", "‹minutes›",
                  "give more time, fewer features (‹features›) or fewer folds (‹folds›)");
    throw Error(ErrorKind::data, fmt::format("no configuration could be evaluated: {}", result_.trials.front().failure),
                {}, "look for extreme values in the inputs");
  }

  /// One more pass with the winner alone, outside the time limit: it takes as long as one configuration.
  void analyse_winner() {
    Run run = run_;
    run.max_seconds = 0;
    WinnerAnalysis analysis = analyse(result_.winner(), encoder_.inputs(), all_, fit_, run);
    if (!analysis.curve.empty()) {
      result_.curve = std::move(analysis.curve);
      result_.recommended = smallest_good(all_.metric, result_.curve);
    }
    if (analysis.left_out) {
      result_.leave_one_out = analysis.left_out->score;
      result_.generalised = analysis.left_out->generalised;
    }
  }

  DealtTrials dealt_;
  const Encoder& encoder_;
  const BlockSource& rows_;
  const FitOptions& fit_;
  const Method& method_;
  const TuneOptions& options_;
  const Run& run_;
  const std::function<void(const Trial&)>& on_trial_;
  const std::function<void(const TuneResult&)>& on_stop_;
  Index features_;
  bool by_sums_;
  Validation all_;
  TrialLog log_;
  std::vector<std::vector<Candidate>> families_;
  Sharing sharing_;
  TuneResult result_;
  double validated_ = 0;    // configurations, once per rung
  double to_validate_ = 0;  // on all rungs
};

TuneResult search(const TuneRequest& request, Communicator* processes) {
  const TuneOptions& options = request.options;
  Run run = request.run;
  run.started = Run::Clock::now();
  if (options.minutes > 0)
    run.max_seconds = std::min(run.max_seconds > 0 ? run.max_seconds : kUnlimited, 60 * options.minutes);
  check_options(request.encode);
  check_options(options);
  check_fit_options(request.fit, request.family);
  const Encoder encoder = Encoder::fit(request.train, request.encode, run);
  run = with_useful_threads(run, encoder.rows_seen(), encoder.inputs().columns(), request.family.features);
  const Metric metric = search_metric(options.metric, request.fit, encoder.target().task);
  const auto rows = training_rows(encoder, request.train, request.fit.class_weights, kUnlimited, run);
  return Search(request, encoder, *rows, metric, run, processes).run(request.family.seed);
}

}  // namespace

TuneResult tune(const TuneRequest& request) {
  return search(request, nullptr);
}

TuneResult tune(const TuneRequest& given, Communicator& processes) {
  TuneRequest request = given;
  use_alike(request.run, processes);
  return search(request, &processes);
}

}  // namespace weft
