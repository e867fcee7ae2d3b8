// What processes do together, under mpirun: Cholesky factors of a matrix that none of them holds (pdpotrf and the
// condition, as a fit calls them), and a sum of T × T numbers from pieces of rows on every process. Answers first.
//
//   mpirun -n 8 bench_distributed [N [T [ROUNDS]]]       one line of JSON per figure
#include "core/at.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "data/rows/piece_sums.hpp"
#include "linalg/cyclic_matrix.hpp"

#include <weft/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <dlfcn.h>
#include <fmt/format.h>

#include "tiny.hpp"

namespace {

using weft::Communicator;
using weft::CyclicSolver;
using weft::Index;
using weft::Matrix;
using namespace weft::detail;

[[noreturn]] void stop(Communicator* processes, const std::string& problem) {
  fmt::print(stderr, "bench_distributed: {}\n", problem);
  if (processes != nullptr) processes->abort(1);
  std::exit(1);
}

/// The module that the command loads, where the build puts it or $WEFT_MPI names it; after weft's BLAS, as the command
/// does, because ScaLAPACK then has its kernels.
std::unique_ptr<Communicator> connect() {
  const std::string kernels = weft::compute_info().blas_kernels;
  const char* named = std::getenv("WEFT_MPI");
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  const std::string file = named != nullptr ? named : (folder / "lib" / "libweft_mpi.so").string();
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) stop(nullptr, dlerror());
  using Connect = Communicator*();
  auto* const make = reinterpret_cast<Connect*>(dlsym(module, "weft_mpi_communicator"));
  if (make == nullptr) stop(nullptr, dlerror());
  std::unique_ptr<Communicator> processes(make());
  if (processes->rank() == 0) fmt::print(stderr, "BLAS kernels: {}\n", kernels);
  return processes;
}

/// All processes start together, and the slowest one counts.
template <class Work>
double seconds_of(Communicator& processes, const Work& work) {
  on_all(&processes, true);
  const Stopwatch clock;
  work();
  on_all(&processes, true);
  return clock.seconds();
}

/// Random numbers in (-½, ½) beside a diagonal that makes the matrix positive definite, well conditioned.
CyclicMatrix random_matrix(const CyclicLayout& layout) {
  const Random random(1, RandomStream::noise);
  CyclicMatrix a(layout);
  const double diagonal = std::sqrt(static_cast<double>(layout.size));
  layout.for_each_lower([&](Index i, Index j, Index c, Index r) {
    const double value = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j)) - 0.5;
    a(c, r) = i == j ? diagonal + value : value;
  });
  return a;
}

void factor(Communicator& processes, Index n, int rounds) {
  CyclicSolver& solver = *processes.solver();
  const CyclicLayout layout(n, solver.grid());
  const CyclicMatrix a = random_matrix(layout);
  Matrix ones(n, 1);
  for (Index i = 0; i < n; ++i) ones(i, 0) = 1;
  Matrix x;
  const double norm = a.one_norm(processes);
  double best = 1e300, solution = 1e300, condition = 0;
  for (int round = 0; round < rounds; ++round) {
    CyclicMatrix copy = a;
    best = std::min(best, seconds_of(processes, [&] { condition = solver.factor(n, copy.data(), norm); }));
    Matrix rhs = a.product(ones, processes);
    solution = std::min(solution, seconds_of(processes, [&] { solver.solve(n, copy.data(), rhs.data(), 1); }));
    x = std::move(rhs);
  }
  double error = 0;
  for (Index i = 0; i < n; ++i) error = std::max(error, std::abs(x(i, 0) - 1));
  if (!(condition > 0) || !(error < 1e-11))
    stop(&processes, fmt::format("the solution is wrong by {:.1e}, condition {:.1e}", error, condition));
  if (processes.rank() > 0) return;
  const double cube = std::pow(static_cast<double>(n), 3);
  fmt::print(
      "{{\"what\": \"factor\", \"processes\": {}, \"grid\": [{}, {}], \"n\": {}, \"seconds\": {:.4f}, "
      "\"gflops\": {:.1f}, \"solve_seconds\": {:.4f}, \"error\": {:.1e}}}\n",
      processes.size(), solver.grid().rows, solver.grid().cols, n, best, cube / 3 / best / 1e9, solution, error);
}

/// Every piece adds its number to one element.
void merge(Communicator& processes, Index features, int rounds) {
  constexpr Index kPieceRows = 2048;
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const RowShare share = RowShare::of(kMostPieces * kPieceRows, kPieceRows, processes);
    MatrixSums sums(share, features, features);
    for (Index piece = share.first; piece < share.last; ++piece)
      sums.of(share.starts[at(piece)])(features - 1, 0) += static_cast<double>(piece);
    double found = 0;
    best = std::min(best, seconds_of(processes, [&] { found = sums.all()(features - 1, 0); }));
    if (found != kMostPieces * (kMostPieces - 1) / 2) stop(&processes, fmt::format("the sum is {}", found));
  }
  if (processes.rank() == 0)
    fmt::print("{{\"what\": \"merge\", \"processes\": {}, \"features\": {}, \"seconds\": {:.4f}}}\n", processes.size(),
               features, best);
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int k, Index otherwise) { return argc > k ? Index{std::atol(argv[k])} : otherwise; };
  const Index n = number(1, bench::unless_tiny<Index>(12000, 300));
  const Index features = number(2, bench::unless_tiny<Index>(2000, 50));
  const int rounds = static_cast<int>(number(3, bench::unless_tiny<Index>(3, 1)));
  const std::unique_ptr<Communicator> processes = connect();
  if (processes->solver() == nullptr)
    stop(processes.get(), "this build has no ScaLAPACK: install libscalapack-openmpi-dev");
  merge(*processes, features, rounds);
  factor(*processes, n, rounds);
}
