#include <weft/sums.hpp>

#include "cli/commands.hpp"
#include "cli/method_arguments.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"
#include "cli/sums_report.hpp"
#include "cli/train_data.hpp"

#include <algorithm>

namespace weft::cli {

namespace {

struct PlanArguments {
  std::vector<std::string> data;
  std::string out;
  bool statistics = false;
  Index first_row = 0;
  bool json = false;
  ReadOptions read;
  EncodeOptions encode;
  FamilyOptions family;
  FitOptions fit;
  MethodArguments method;
  RunOptions run;
};

/// Statistics know how they were gathered.
template <class Options>
void refuse_given(const Options& options, const PartStatistics& first) {
  const Options defaults;
  for_each_field<Options>([&](const auto& field) {
    const bool target =
        std::string(field.name) == "target" && default_text(options.*field.member) == first.read().target;
    if (options.*field.member != defaults.*field.member && !target)
      throw Error(ErrorKind::option, "the statistics were gathered without it, or with another value",
                  "--" + option_name(field.name), "leave it out, or gather them again with it");
  });
}

Plan plan_from_statistics(const PlanArguments& arguments, const Run& run) {
  PlanRequest request{{}, arguments.family, arguments.fit, run};
  for (const std::string& path : arguments.data) request.statistics.push_back(PartStatistics::load(path));
  refuse_given(arguments.read, request.statistics.front());
  refuse_given(arguments.read.rule, request.statistics.front());
  refuse_given(arguments.encode, request.statistics.front());
  return Plan::of(request);
}

Plan plan_from_tables(const PlanArguments& arguments, const Run& run) {
  std::vector<Data> parts;
  for (const std::string& path : arguments.data)
    parts.push_back(read_training(path, arguments.read, arguments.encode, run));
  return Plan::of(parts, arguments.family, arguments.fit, arguments.encode, run);
}

void gather(const PlanArguments& arguments, Session& session) {
  if (arguments.data.size() > 1)
    throw Error(ErrorKind::option, "statistics are of one table", "--statistics", "run the command for each of them");
  const Data part = read_training(arguments.data.front(), arguments.read, arguments.encode, session.run());
  const PartStatistics statistics = PartStatistics::of(part, arguments.encode, session.run(), arguments.first_row);
  statistics.save(arguments.out);
  session.finish_progress();
  print_statistics(statistics, arguments.out, arguments.json);
}

void run_plan(PlanArguments& arguments) {
  check_value("first_row", arguments.first_row, Allowed::at_least(0));
  if (arguments.first_row > 0 && !arguments.statistics)
    throw Error(ErrorKind::option, "only used by --statistics", "--first-row", "add --statistics");
  arguments.fit.method = arguments.method.options(method_name(LeastSquaresOptions{}));
  std::vector<InputFile> inputs;
  for (const std::string& path : arguments.data) inputs.push_back({"one of the tables", path});
  check_output_files({{"--out", arguments.out}}, inputs);
  Session session(arguments.run, arguments.json);
  if (arguments.statistics) return gather(arguments, session);
  const auto gathered = std::count_if(arguments.data.begin(), arguments.data.end(), PartStatistics::is_file);
  if (gathered > 0 && gathered < static_cast<std::ptrdiff_t>(arguments.data.size()))
    throw Error(ErrorKind::option, "tables and statistics cannot be mixed", "data", "name the statistics of all parts");
  const Plan plan =
      gathered > 0 ? plan_from_statistics(arguments, session.run()) : plan_from_tables(arguments, session.run());
  plan.save(arguments.out);
  session.finish_progress();
  print_plan(plan, arguments.out, arguments.json);
}

}  // namespace

void add_plan(App& app) {
  auto* command = app.add_subcommand("plan", "Decide all of a fit but the sums over rows, for tables in parts");
  command->footer(
      "The tables are parts of one, in the order given. The plan holds the encoder, the features and the options; "
      "then\n"
      "weft sums adds up every part, on any machine, weft merge adds the sums, and weft solve makes the model that\n"
      "weft train would have made of the whole table. Methods: least-squares (the default), lasso, kernel-ridge with\n"
      "--landmarks. Where no machine reads all parts, --statistics gathers what a plan needs of one, and the plan is\n"
      "made of those files. --group, --time and --folds-column hold out what weft train holds out.\n"
      "Example:\n  weft plan part-*.csv --target price --features 2000 --out plan.weft\n"
      "  weft plan part-2.csv --target price --statistics --first-row 1000000 --out part-2.stats\n"
      "  weft plan part-*.stats --features 2000 --out plan.weft");
  auto arguments = std::make_shared<PlanArguments>();
  command->add_option("data", arguments->data, "tables that are parts of one, or files of --statistics")->required();
  command->add_option("--out", arguments->out, "file to write")->required();
  command->add_flag("--statistics", arguments->statistics, "write the statistics of one part instead of a plan");
  command->add_option("--first-row", arguments->first_row,
                      "with --statistics: number of rows with a target in the parts before this one [0]");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->read.rule, "Validation");
  add_fields(*command, arguments->encode, "Encoding");
  add_fields(*command, arguments->family, "Family");
  arguments->method.add_to(*command);
  add_fields(*command, arguments->fit, "Fit");
  add_fields(*command, arguments->run, "Run", {"threads", "max_memory"});
  command->common({"target", "task", "drop", "weights", "features", "fit", "landmarks", "lambda", "seed", "quiet"});
  command->callback([arguments] { run_plan(*arguments); });
}

}  // namespace weft::cli
