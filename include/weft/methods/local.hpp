#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

struct LocalOptions {
  Setting<std::string> kernel = default_value("laplace");
  Setting<double> exponent = default_value(1);
  Setting<std::string> bandwidth = default_value("auto");
  Setting<Index> relevance = default_value(2);
  Setting<Index> leaf = default_value(2000);
  Setting<Index> trees = default_value(2);
  Setting<double> overlap = default_value(0.5);
  Setting<Index> global = default_value(0);

  static auto fields() {
    using O = LocalOptions;
    return std::tuple{
        Field{"kernel", &O::kernel, Allowed::anything(), "laplace (of |d|_1), laplace-l2 (of |d|) or rbf"},
        Field{"exponent", &O::exponent, Allowed::between(0.1, 2),
              "q of exp(-(|d|_1/sigma)^q) (laplace, at most 1) and exp(-(|d|/sigma)^q) (laplace-l2)"},
        Field{"bandwidth", &O::bandwidth, Allowed::anything(),
              "sigma of the kernel, a number; auto: chosen on held-out rows, around the median distance"},
        Field{"relevance", &O::relevance, Allowed::at_least(0),
              "rounds in which the relevance of the inputs is learned; the best round is kept"},
        Field{"leaf", &O::leaf, Allowed::at_least(10), "most rows of a leaf; every leaf is solved exactly"},
        Field{"trees", &O::trees, Allowed::at_least(1), "trees with different borders, whose predictions are averaged"},
        Field{"overlap", &O::overlap, Allowed::between(0, 4),
              "rows of neighbouring leaves, those nearest to its borders, that a leaf is fitted to as well, as a share "
              "of its own rows"},
        Field{"global", &O::global, Allowed::at_least(0),
              "landmarks of a global model that is fitted first; the leaves then fit what it leaves. 0: none"},
    };
  }
};

}  // namespace weft
