// What a mistyped word was meant to be.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// "did you mean --target? " for the nearest of the known words, by the number of letters that are wrong, missing, too
/// many or exchanged with their neighbour, or for the word that it is the start of; empty if none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace weft::cli
