#include "cli/training_arguments.hpp"

#include <weft/describe.hpp>
#include <weft/write.hpp>

#include "cli/options.hpp"

#include <fmt/ranges.h>

namespace weft::cli {

void TrainingArguments::add_to(App& app, const std::vector<std::string>& command_line, const char* model_help) {
  command = fmt::format("{}", fmt::join(command_line, " "));
  add_data(app, data);
  app.add_option("--model", model, model_help);
  app.add_option("--report", report, "write a page about the model: errors, charts, certificate (HTML, one file)");
  test.add_to(app);
  app.add_flag("--json", json, "print JSON");
  add_fields(app, read, "Reading");
  add_fields(app, encode, "Encoding");
  add_fields(app, family, "Family");
  add_fields(app, fit, "Fit");
  add_fields(app, run, "Run");
}

void TrainingArguments::check() const {
  test.check();
  for (const std::string& path : {model, report})
    if (!path.empty()) check_writable(path);
}

Model fit_model(const TrainingArguments& arguments, const LabelledData& data, const TuneResult* found, const Run& run) {
  const bool smallest = arguments.tune.smallest;
  ModelParts parts = fit(data.train, found != nullptr ? found->family(smallest) : arguments.family,
                         found != nullptr ? found->fit(arguments.fit, smallest) : arguments.fit, data.encode, run,
                         nullptr, data.unlabelled ? &*data.unlabelled : nullptr)
                         .parts();
  parts.provenance["command"] = arguments.command;
  if (found != nullptr) parts.provenance["alternatives"] = std::to_string(found->alternatives(smallest));
  return Model(std::move(parts));
}

void write_report(const TrainingArguments& arguments, const Model& model, const LabelledData& data,
                  const std::optional<Data>& test, const TuneResult* found, const Run& run) {
  const auto refit = [&](const Data& rows) {
    return fit_model(arguments, {rows, data.unlabelled, data.encode}, found, run);
  };
  const Described subject{model, data.train, test, found == nullptr ? std::nullopt : std::optional(*found), refit};
  write_file(arguments.report, describe(subject, run).to_html());
}

}  // namespace weft::cli
