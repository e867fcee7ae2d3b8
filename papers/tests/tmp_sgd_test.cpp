#include "learned_sgd.hpp"
#include <weft/fit.hpp>
#include <gtest/gtest.h>
namespace weft::papers {
TEST(TmpSgd, IsTheLibrarys) {
  for (const char* name : {"friedman1", "moons"})
    for (const char* basis : {"rbf", "bspline"}) {
      const Data data = generate(name, {.rows = 500});
      FamilyOptions family;
      family.family = "rks-relu";
      family.features = 20;
      family.seed = 4;
      FitOptions fit;
      fit.fit = "learned-activation";
      fit.basis = basis;
      fit.solver = "sgd";
      fit.epochs = 4;
      fit.grid_points = 12;
      const Model theirs = weft::fit(data, family, fit);
      const Encoder& encoder = theirs.parts().encoder;
      const Model ours = descend_stochastically(encoder, theirs.parts().map.with_activation(find_activation("relu")),
                                                load_rows(encoder, data, {}),
                                                {.basis = basis, .grid_points = 12, .epochs = 4, .seed = 4}, {});
      for (Index m = 0; m < 20; ++m)
        EXPECT_NEAR(ours.parts().coefficients(m, 0), theirs.parts().coefficients(m, 0), 1e-10) << name << basis;
      EXPECT_NEAR(ours.parts().intercepts[0], theirs.parts().intercepts[0], 1e-10);
    }
}
}  // namespace weft::papers
