// Classes that are probably one.
#pragma once

#include <weft/model.hpp>

#include <string>

namespace weft::cli {

/// A sentence on classes that differ in upper and lower case or in spaces only; empty: there are none.
std::string spelling_note(const TargetInfo& target);

}  // namespace weft::cli
