// Learn, predict and save in five lines: train.csv has a column "price", new.csv the same columns without it.
#include <weft/weft.hpp>

#include <cstdio>
#include <exception>

int main() {
  try {
    auto train = weft::read("train.csv", {.target = "price"});
    auto model = weft::fit({train, {.family = "rw-relu/sparse:3", .features = 1000}});
    auto price = model.predict(weft::read("new.csv"));
    model.save("price.weft");
    std::printf("%td predictions, the first is %g\n", price.rows(), price(0, 0));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
