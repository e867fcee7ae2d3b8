// What a command writes, checked before it does any work.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

struct OutputFile {
  std::string option;  ///< --out
  std::string path;    ///< empty: not written; "-": standard output
  bool table = false;  ///< its name says its format
};

struct InputFile {
  std::string meaning;  ///< "the table", "the model"
  std::string path;     ///< empty: not read; "-": standard input
};

/// Throws for an output that is one of the inputs or another output, under whatever name, or that cannot be written.
void check_output_files(const std::vector<OutputFile>& outputs, const std::vector<InputFile>& inputs);

}  // namespace weft::cli
