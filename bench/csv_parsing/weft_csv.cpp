// Parses a table through weft::read in blocks of 4096 rows, three times; prints rows, the sum of all cells and MB/s of
// the best.
#include <weft/data.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>

namespace {

struct Pass {
  weft::Index rows = 0;
  double sum = 0;
  double seconds = 0;
};

Pass parse(const weft::Data& data) {
  Pass pass;
  const auto start = std::chrono::steady_clock::now();
  const auto reader = data.open();
  weft::RawBlock block;
  while (reader->next(block, 4096)) {
    pass.rows += block.rows();
    for (weft::Index j = 0; j < block.columns.rows; ++j)
      for (weft::Index i = 0; i < block.rows(); ++i) pass.sum += block.columns(j, i);
  }
  pass.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return pass;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  try {
    const weft::Data data = weft::read(argv[1]);
    Pass best = parse(data);
    for (int repeat = 1; repeat < 3; ++repeat)
      if (const Pass pass = parse(data); pass.seconds < best.seconds) best = pass;
    const double megabytes = static_cast<double>(std::filesystem::file_size(argv[1])) / 1e6;
    std::printf("%td %.9e %.1f\n", best.rows, best.sum, megabytes / best.seconds);
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
