// One function per kind of target: from the program to the text or bytes of a file.
#pragma once

#include "export/program.hpp"

#include <string>

namespace weft::detail {

/// C, C++ or JavaScript, from the texts of runtime/.
void write_source(const Program& program, const ExportOptions& options, ExportedModel& exported);

/// ONNX, opset 17. Dates are numbers, seconds since 1970.
void write_onnx(const Program& program, const ExportOptions& options, ExportedModel& exported);

/// What a program is, where it came from and how it is called, in lines for a comment.
std::string describe_program(const Program& program, const ExportOptions& options, bool has_file);

}  // namespace weft::detail
