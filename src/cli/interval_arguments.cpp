#include "cli/interval_arguments.hpp"

#include "cli/cell_rules.hpp"
#include "cli/options.hpp"

namespace weft::cli {

void IntervalArguments::add_to(App& command) {
  add_fields(command, options);
  command.add_option("--calibrate", calibrate_,
                     "table of labelled rows that the model was not fitted to: with it --interval holds exactly, for "
                     "any model");
}

void IntervalArguments::apply(const Model& model, const ReadOptions& read, const Run& run, PredictOptions& to) const {
  to.intervals = options;
  if (calibrate_.empty()) return;
  if (!options.interval)
    throw Error(ErrorKind::option, "these rows are for intervals alone", "--calibrate", "give --interval as well");
  const Data rows = CellRules::read_labelled(model, calibrate_, read, run);
  to.conformity = std::make_shared<const Conformity>(conformity_of(model, rows, run));
}

}  // namespace weft::cli
