// The library's side of python.py: a fit and its predictions from arrays in memory, without Python.
// Usage: bench_library X.npy y.npy FAMILY SIGMA FEATURES THREADS OUT
// Writes the predictions (float64, as they lie in memory) to OUT; prints wall-clock and processor seconds of
// the fit, and those of the predictions.
#include "core/stopwatch.hpp"

#include <weft/fit.hpp>
#include <weft/load.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>

namespace {

struct Seconds {
  double wall, processor;
};

template <class Job>
Seconds timed(Job&& job) {
  const weft::detail::Stopwatch clock;
  const std::clock_t start = std::clock();
  job();
  return {clock.seconds(), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

}  // namespace

int main(int count, char** words) {
  if (count != 8) {
    std::fprintf(stderr, "usage: bench_library X.npy y.npy FAMILY SIGMA FEATURES THREADS OUT\n");
    return 2;
  }
  const weft::Matrix x = weft::load_numbers(words[1]);
  const weft::Matrix y = weft::load_numbers(words[2]);
  weft::FamilyOptions family;
  family.family = words[3];
  family.sigma = std::atof(words[4]);
  family.features = std::atol(words[5]);
  weft::EncodeOptions encode;
  encode.task = weft::TargetKind::classification;
  encode.scale = weft::Scaling::none;
  weft::Run run;
  run.threads = std::atoi(words[6]);
  std::optional<weft::Model> model;
  const Seconds fit = timed([&] { model = weft::fit({weft::array(x, y), family, {}, encode, run}); });
  weft::Matrix predicted;
  const Seconds predict = timed([&] { predicted = model->predict(weft::array(x), run); });
  std::ofstream(words[7], std::ios::binary)
      .write(reinterpret_cast<const char*>(predicted.data()),
             static_cast<std::streamsize>(sizeof(double)) * predicted.rows() * predicted.cols());
  std::printf("%.17g %.17g %.17g %.17g\n", fit.wall, fit.processor, predict.wall, predict.processor);
}
