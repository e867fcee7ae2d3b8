// weft train under mpirun.
#pragma once

#include "cli/training_arguments.hpp"

namespace weft::cli {

/// Called before the arguments are checked: where no method is named, the one whose rows processes share out. True
/// where it takes the place of learned kernels, which need all rows in every process.
bool choose_shared_method(TrainingArguments& arguments);
/// Throws for options of a fit whose processes share out work, and not rows, that they would not use alike.
void check_shared_work(const TrainingArguments& arguments);
/// Fits rows that are shared out, writes the model and prints what `weft train` prints, on rank 0.
void train_together(const TrainingArguments& arguments);

}  // namespace weft::cli
