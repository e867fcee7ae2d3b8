// The extension module weft._weft. The package's Python half is all that should import it.
#include "analysis.hpp"
#include "errors.hpp"
#include "fit.hpp"
#include "model.hpp"
#include "options.hpp"
#include "sums.hpp"
#include "table.hpp"

#include <weft/deterministic.hpp>
#include <weft/version.hpp>

PYBIND11_MODULE(_weft, module) {
  module.doc() = "The C++ library behind weft.";
  module.attr("__version__") = weft::version();
  module.def(
      "use_fixed_kernels", &weft::use_fixed_kernels,
      "The same bits on every x86-64 processor with AVX2; to be called before anything is computed.\n\n"
      "NumPy may load OpenBLAS before weft does: start Python with OPENBLAS_CORETYPE=Haswell, or a fit says so.\n\n"
      ">>> import os, subprocess, sys\n"
      ">>> program = 'import weft; weft.use_fixed_kernels(); weft.RandomFeatures(n_features=5).fit([[0.0]])'\n"
      ">>> environment = {**os.environ, 'OPENBLAS_CORETYPE': 'Haswell'}\n"
      ">>> subprocess.run([sys.executable, '-c', program], env=environment).returncode\n"
      "0\n");
  weft::python::bind_errors(module);
  weft::python::bind_options(module);
  weft::python::bind_table(module);
  weft::python::bind_model(module);
  weft::python::bind_fit(module);
  weft::python::bind_sums(module);
  weft::python::bind_analysis(module);
}
