#include "mpi/cyclic_solver.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#ifdef WEFT_HAVE_SCALAPACK

extern "C" {
int Csys2blacs_handle(MPI_Comm world);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
void Cblacs_gridexit(int context);
int numroc_(const int* n, const int* block, const int* place, const int* first, const int* places);
void descinit_(int* desc, const int* m, const int* n, const int* mb, const int* nb, const int* row, const int* col,
               const int* context, const int* lld, int* info);
void pdpotrf_(const char* uplo, const int* n, double* a, const int* ia, const int* ja, const int* desc, int* info);
void pdpotrs_(const char* uplo, const int* n, const int* k, const double* a, const int* ia, const int* ja,
              const int* desc, double* b, const int* ib, const int* jb, const int* desc_b, int* info);
void pdpocon_(const char* uplo, const int* n, const double* a, const int* ia, const int* ja, const int* desc,
              const double* norm, double* rcond, double* work, const int* lwork, int* iwork, const int* liwork,
              int* info);
}

namespace weft {

namespace {

constexpr int kTile = 128;
constexpr int kZero = 0, kOne = 1;

class ScalapackSolver final : public CyclicSolver {
 public:
  explicit ScalapackSolver(MPI_Comm world) : world_(world), handle_(Csys2blacs_handle(world)), context_(handle_) {
    int size = 1;
    MPI_Comm_size(world, &size);
    int rows = static_cast<int>(std::sqrt(size));
    while (size % rows != 0) --rows;
    Cblacs_gridinit(&context_, "Row", rows, size / rows);
    Cblacs_gridinfo(context_, &grid_.rows, &grid_.cols, &grid_.row, &grid_.col);
    grid_.tile = kTile;
  }
  ~ScalapackSolver() override {
    Cblacs_gridexit(context_);
    Cfree_blacs_system_handle(handle_);
  }
  ScalapackSolver(const ScalapackSolver&) = delete;
  ScalapackSolver& operator=(const ScalapackSolver&) = delete;

  Grid grid() const override { return grid_; }

  double factor(Index n, double* own, double norm) override {
    const int size = static_cast<int>(n);
    const auto desc = describe(size, size);
    int info = 0;
    pdpotrf_("L", &size, own, &kOne, &kOne, desc.data(), &info);
    if (info != 0) return 0;
    double rcond = 0, work_size = 0;
    int iwork_size = 0;
    const int query = -1;
    pdpocon_("L", &size, own, &kOne, &kOne, desc.data(), &norm, &rcond, &work_size, &query, &iwork_size, &query, &info);
    std::vector<double> work(static_cast<std::size_t>(work_size));
    std::vector<int> iwork(static_cast<std::size_t>(iwork_size));
    const int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
    pdpocon_("L", &size, own, &kOne, &kOne, desc.data(), &norm, &rcond, work.data(), &lwork, iwork.data(), &liwork,
             &info);
    return info == 0 ? rcond : 0;
  }

  void solve(Index n, const double* own_factor, double* rhs, Index k) override {
    const int size = static_cast<int>(n), columns = static_cast<int>(k);
    const auto desc = describe(size, size), desc_rhs = describe(size, columns);
    const int rows = local(size, grid_.row, grid_.rows), cols = local(columns, grid_.col, grid_.cols);
    std::vector<double> own(static_cast<std::size_t>(std::max(1, rows * cols)));
    const auto global = [](int i, int place, int places) { return ((i / kTile) * places + place) * kTile + i % kTile; };
    const auto each = [&](const auto& f) {
      for (int j = 0; j < cols; ++j)
        for (int i = 0; i < rows; ++i)
          f(own[static_cast<std::size_t>(j * rows + i)],
            rhs[static_cast<Index>(global(j, grid_.col, grid_.cols)) * n + global(i, grid_.row, grid_.rows)]);
    };
    each([](double& mine, double all) { mine = all; });
    int info = 0;
    pdpotrs_("L", &size, &columns, own_factor, &kOne, &kOne, desc.data(), own.data(), &kOne, &kOne, desc_rhs.data(),
             &info);
    std::fill_n(rhs, n * k, 0.0);
    each([](double mine, double& all) { all = mine; });
    MPI_Allreduce(MPI_IN_PLACE, rhs, static_cast<int>(n * k), MPI_DOUBLE, MPI_SUM, world_);
  }

 private:
  static int local(int n, int place, int places) { return numroc_(&n, &kTile, &place, &kZero, &places); }

  std::vector<int> describe(int rows, int cols) const {
    std::vector<int> desc(9);
    const int lld = std::max(1, local(rows, grid_.row, grid_.rows));
    int info = 0;
    descinit_(desc.data(), &rows, &cols, &kTile, &kTile, &kZero, &kZero, &context_, &lld, &info);
    return desc;
  }

  MPI_Comm world_;
  int handle_;
  int context_;
  Grid grid_;
};

}  // namespace

std::unique_ptr<CyclicSolver> connect_cyclic_solver(MPI_Comm world) {
  return std::make_unique<ScalapackSolver>(world);
}

}  // namespace weft

#else

namespace weft {

std::unique_ptr<CyclicSolver> connect_cyclic_solver(MPI_Comm) {
  return nullptr;
}

}  // namespace weft

#endif
