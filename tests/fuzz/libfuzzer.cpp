// The targets under libFuzzer (scripts/fuzz): the environment variable WEFT_FUZZ_TARGET names one. With
// WEFT_FUZZ_SEEDS, a folder, its seeds are written there and nothing else is done.
#include "fuzz/fuzz_target.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t longest);

namespace {

const weft::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("WEFT_FUZZ_TARGET");
  if (name == nullptr) {
    for (const weft::fuzz::Target& target : weft::fuzz::all_targets())
      std::printf("%s %zu\n", target.name.c_str(), target.longest);
    std::exit(0);
  }
  chosen = &weft::fuzz::target_named(name);
  if (const char* folder = std::getenv("WEFT_FUZZ_SEEDS")) {
    int number = 0;
    for (const std::string& seed : chosen->seeds())
      std::ofstream(std::string(folder) + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::run_one(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t longest, unsigned) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, longest);
  if (!chosen->repair) return mutated;
  std::string input(reinterpret_cast<const char*>(data), mutated);
  chosen->repair(input);
  if (input.size() > longest) return mutated;  // a longer number, for which there is no room
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
