// weft train under mpirun.
#pragma once

#include "cli/training_arguments.hpp"

namespace weft::cli {

/// Called before the arguments are checked: where no method is named, the one that processes share out.
void choose_shared_method(TrainingArguments& arguments);
/// Fits, writes the model and prints what `weft train` prints, on rank 0.
void train_together(const TrainingArguments& arguments);

}  // namespace weft::cli
