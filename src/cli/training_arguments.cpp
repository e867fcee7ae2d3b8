#include "cli/training_arguments.hpp"

#include <weft/describe.hpp>
#include <weft/distributed.hpp>
#include <weft/write.hpp>

#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/processes.hpp"

#include <algorithm>

namespace weft::cli {

void TrainingArguments::add_to(App& app, const std::vector<std::string>& command_line, const char* model_help) {
  command = command_text(command_line);
  add_data(app, data);
  app.add_option("--model", model, model_help);
  app.add_option("--report", report, "write an HTML report on the model: errors, charts, certificate (one file)");
  test.add_to(app);
  app.add_flag("--json", json, "print JSON");
  add_fields(app, read, "Reading");
  add_fields(app, read.rule, "Validation");
  add_fields(app, encode, "Encoding");
  add_fields(app, family, "Family");
  method.add_to(app);
  add_fields(app, fit, "Fit");
  add_fields(app, run, "Run");
}

void TrainingArguments::check(const std::string& unlabelled) {
  test.check();
  if (fast && method.named())
    throw Error(ErrorKind::option, "--fit names another method", "--fast", "give one of the two");
  fit.method = method.options(default_method());
  if (std::holds_alternative<PortfolioOptions>(fit.method) && !encode.scale.given()) encode.scale = Scaling::both;
  // Counts look like classes, and are not.
  if (fits_a_loss() && encode.task == TargetKind::automatic) encode.task = TargetKind::regression;
  std::vector<OutputFile> outputs = {{"--model", model}, {"--report", report}};
  std::visit(
      [&](const auto& options) {
        if constexpr (requires { options.checkpoint; }) outputs.push_back({"--checkpoint", *options.checkpoint});
      },
      fit.method);
  check_output_files(outputs,
                     {{"the table", data}, {"the test table", test.test}, {"the file of --unlabelled", unlabelled}});
}

std::string TrainingArguments::random_feature_option() const {
  if (fit.lambda) return "--lambda";
  if (fit.lambda_holdout.given()) return "--lambda-holdout";
  if (fit.intercept.given()) return "--no-intercept";
  std::string found;
  for_each_field<FamilyOptions>([&](const auto& field) {
    if (found.empty() && std::string(field.name) != "seed" && is_given(family.*field.member))
      found = "--" + option_name(field.name);
  });
  return found;
}

bool TrainingArguments::fits_a_loss() const {
  return std::holds_alternative<NewtonOptions>(fit.method) || std::holds_alternative<KernelNewtonOptions>(fit.method);
}

std::string TrainingArguments::default_method() const {
  const std::string kernels = method_name(PortfolioOptions{});
  const std::string features = method_name(LeastSquaresOptions{});
  const std::string relevance = method_name(LearnedRelevanceOptions{});
  if (method.gives("loss") || method.gives("quantiles")) {
    const std::string newton = method_name(NewtonOptions{});
    for (const std::string& losses : {newton, method_name(KernelNewtonOptions{})})
      if (method.suits(losses)) return losses;
    const std::vector<MethodRow>& all = method_table();
    if (std::none_of(all.begin(), all.end(), [&](const MethodRow& row) { return method.suits(row.name); }))
      return newton;  // it says what is wrong
  }
  if (!fast && random_feature_option().empty() && method.suits(kernels)) return kernels;
  return !method.suits(features) && method.suits(relevance) ? relevance : features;
}

bool TrainingArguments::search_portfolio() {
  auto* portfolio = std::get_if<PortfolioOptions>(&fit.method);
  if (portfolio == nullptr) return false;
  for_each_field<TuneOptions>([&](const auto& field) {
    const std::string name = field.name;
    if (is_given(tune.*field.member) && name != "minutes" && name != "metric")
      throw Error(ErrorKind::option, "the portfolio of kernels does not use it", "--" + option_name(field.name),
                  "leave it out, or name the method to search with --fit");
  });
  if (!portfolio->effort.given()) portfolio->effort = Effort::thorough;
  if (tune.minutes > 0) run.max_time = 60 * tune.minutes;
  if (tune.metric.given()) portfolio->metric = *tune.metric;
  return true;
}

TuneRequest TrainingArguments::search(const LabelledData& rows, const Run& with) const {
  return {rows.train, family, fit, rows.encode, tune, with};
}

Model fit_model(const TrainingArguments& arguments, const LabelledData& data, const TuneResult* found, const Run& run,
                Communicator* processes) {
  FitRequest request{data.train, arguments.family, arguments.fit, data.encode, run};
  request.unlabelled = data.unlabelled;
  ModelParts parts = (found != nullptr       ? fit_winner(arguments.search(data, run), *found)
                      : processes != nullptr ? fit(request, *processes)
                                             : fit(request))
                         .parts();
  parts.provenance["command"] = arguments.command;
  return Model(std::move(parts));
}

Model fit_model(const TrainingArguments& arguments, const LabelledData& data, const TuneResult* found, Session& session,
                const Run& run) {
  try {
    return fit_model(arguments, data, found, run, under_mpirun() ? &processes() : nullptr);
  } catch (const Error& error) {
    const bool portfolio = std::holds_alternative<PortfolioOptions>(arguments.fit.method);
    if (error.kind() == ErrorKind::cancelled && portfolio && !session.search_state().empty()) {
      session.finish_progress();
      fmt::print(
          stderr,
          "stopped at {}\na portfolio cannot be continued; with --max-time S it ends in time, and --model keeps the "
          "best average found\n",
          session.search_state());
    }
    throw;
  }
}

void write_report(const TrainingArguments& arguments, const Model& model, const LabelledData& data,
                  const std::optional<Data>& test, const TuneResult* found, const Run& with) {
  Run run = with;
  run.on_warning = {};  // parts of the rows lack categories of others, which is no news about the table
  const auto refit = [&](const Data& rows) {
    const LabelledData some{rows, data.unlabelled, data.encode};
    return found != nullptr ? fit(winner_request(arguments.search(some, run), *found))
                            : fit_model(arguments, some, nullptr, run);
  };
  const Described subject{model, data.train, test, found == nullptr ? std::nullopt : std::optional(*found), refit};
  write_file(arguments.report, in_command_line_words(describe(subject, run).to_html()));
}

}  // namespace weft::cli
