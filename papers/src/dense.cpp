#include "dense.hpp"

#include <weft/error.hpp>
#include <weft/version.hpp>

#include <cstdlib>
#include <string>

#include <dlfcn.h>

namespace weft::papers {

namespace {

// CBLAS's enumerators.
constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112, kLower = 122;

/// Functions of the BLAS library that weft has loaded, with the kernels that it chose there: linked to this program,
/// OpenBLAS would choose its kernels before weft can.
struct Blas {
  void (*dsyrk)(int, int, int, int, int, double, const double*, int, double, double*, int);
  void (*dgemm)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
  // LAPACK by Fortran's interface: calls end with the lengths of their texts.
  void (*dpotrf)(const char*, const int*, double*, const int*, int*, std::size_t);
  void (*dpotrs)(const char*, const int*, const int*, const double*, const int*, double*, const int*, int*,
                 std::size_t);
  void (*dpotri)(const char*, const int*, double*, const int*, int*, std::size_t);
  void (*dsyevd)(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*,
                 const int*, int*, std::size_t, std::size_t);
  int (*get_threads)();      // of OpenBLAS; nullptr: another library
  void (*set_threads)(int);  // likewise
};

void* loaded_library() {
  compute_info();  // loads it
  const char* const asked = std::getenv("WEFT_BLAS");
  for (const char* name : {asked != nullptr ? asked : "libopenblas.so.0", "libopenblas.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return library;
  throw Error(ErrorKind::file, "the BLAS library of weft was not found in this process");
}

template <class Function>
void find(void* library, const char* symbol, Function& function, bool needed = true) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr && needed)
    throw Error(ErrorKind::file, std::string("the BLAS library has no function ") + symbol);
}

const Blas& blas() {
  static const Blas functions = [] {
    void* const library = loaded_library();
    Blas found{};
    find(library, "cblas_dsyrk", found.dsyrk);
    find(library, "cblas_dgemm", found.dgemm);
    find(library, "dpotrf_", found.dpotrf);
    find(library, "dpotrs_", found.dpotrs);
    find(library, "dpotri_", found.dpotri);
    find(library, "dsyevd_", found.dsyevd);
    find(library, "openblas_get_num_threads", found.get_threads, false);
    find(library, "openblas_set_num_threads", found.set_threads, false);
    return found;
  }();
  return functions;
}

int narrow(Index size) {
  return static_cast<int>(size);
}

}  // namespace

BlasThreads::BlasThreads(int threads) : before_(blas().get_threads != nullptr ? blas().get_threads() : 0) {
  if (blas().set_threads != nullptr) blas().set_threads(threads);
}

BlasThreads::~BlasThreads() {  // NOLINT(bugprone-exception-escape): the constructor has loaded the library
  if (blas().set_threads != nullptr) blas().set_threads(before_);
}

void add_gram(View<const double> phi, Matrix& gram) {
  blas().dsyrk(kRowMajor, kLower, kNoTranspose, narrow(phi.rows), narrow(phi.cols), 1, phi.data, narrow(phi.stride), 1,
               gram.data(), narrow(gram.cols()));
}

Matrix transposed_product(View<const double> a, View<const double> b) {
  Matrix c(a.cols, b.cols);
  blas().dgemm(kRowMajor, kTranspose, kNoTranspose, narrow(a.cols), narrow(b.cols), narrow(a.rows), 1, a.data,
               narrow(a.stride), b.data, narrow(b.stride), 0, c.data(), narrow(c.cols()));
  return c;
}

Matrix product_transposed(View<const double> a, View<const double> b) {
  Matrix c(a.rows, b.rows);
  blas().dgemm(kRowMajor, kNoTranspose, kTranspose, narrow(a.rows), narrow(b.rows), narrow(a.cols), 1, a.data,
               narrow(a.stride), b.data, narrow(b.stride), 0, c.data(), narrow(c.cols()));
  return c;
}

// The lower triangle by rows is LAPACK's upper triangle by columns: nothing need be transposed.
bool cholesky(Matrix& a) {
  const int n = narrow(a.rows());
  int info = 0;
  blas().dpotrf("U", &n, a.data(), &n, &info, 1);
  return info == 0;
}

void solve_cholesky(const Matrix& factor, std::vector<double>& rhs) {
  const int n = narrow(factor.rows()), columns = 1;
  int info = 0;
  blas().dpotrs("U", &n, &columns, factor.data(), &n, rhs.data(), &n, &info, 1);
}

std::vector<double> inverse_diagonal(Matrix factor) {
  const int n = narrow(factor.rows());
  int info = 0;
  blas().dpotri("U", &n, factor.data(), &n, &info, 1);
  std::vector<double> diagonal;
  for (Index i = 0; i < factor.rows(); ++i) diagonal.push_back(factor(i, i));
  return diagonal;
}

Spectrum spectrum(Matrix a) {
  const int n = narrow(a.rows());
  std::vector<double> values(static_cast<std::size_t>(n)), work(1);
  std::vector<int> integers(1);
  int info = 0;
  const auto call = [&](int work_size, int integer_size) {
    blas().dsyevd("V", "U", &n, a.data(), &n, values.data(), work.data(), &work_size, integers.data(), &integer_size,
                  &info, 1, 1);
  };
  call(-1, -1);  // asks for the sizes
  work.resize(static_cast<std::size_t>(work[0]));
  integers.resize(static_cast<std::size_t>(integers[0]));
  call(narrow(static_cast<Index>(work.size())), narrow(static_cast<Index>(integers.size())));
  if (info != 0) throw Error(ErrorKind::data, "the eigenvalues of a Gram matrix could not be computed");
  return {std::move(values), std::move(a)};
}

}  // namespace weft::papers
