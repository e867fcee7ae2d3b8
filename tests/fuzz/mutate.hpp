// Deterministic mutations, for the replay that needs no fuzzer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::fuzz {

/// The input with number `mutation` of a sequence of its own: some bytes flipped, cut, doubled, replaced by numbers and
/// marks that parsers look for, or exchanged for a piece of one of `others`.
std::string mutated(std::string input, const std::vector<std::string>& others, std::uint64_t mutation,
                    std::size_t longest);

}  // namespace weft::fuzz
