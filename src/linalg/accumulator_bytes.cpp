// Sums as bytes. The header is { "contents": "sums", "rows", "targets", "weight", "single_precision" }; the blocks are
// "gram" (the lower triangle, row after row), "moments", "squares", "target_sums" and "shift".
#include "linalg/accumulator.hpp"

#include "core/block_file.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {
constexpr const char* kContents = "sums";
}

std::string Accumulator::to_bytes() const {
  std::vector<double> triangle;
  triangle.reserve(static_cast<std::size_t>(features() * (features() + 1) / 2));
  for (Index i = 0; i < features(); ++i) triangle.insert(triangle.end(), gram_.row(i), gram_.row(i) + i + 1);
  BlockFileWriter file;
  file.add("gram", triangle);
  file.add("moments", moments_);
  file.add("squares", yy_);
  file.add("target_sums", target_sums_);
  file.add("shift", shift_);
  return file.bytes({{"contents", kContents},
                     {"rows", rows_},
                     {"targets", targets()},
                     {"weight", number_to_json(weight_)},
                     {"single_precision", single_precision_}});
}

Accumulator Accumulator::from_bytes(const std::string& bytes, const std::string& name) {
  const BlockFileReader file(name, bytes, kContents);
  const auto require = [&](bool condition, const char* what) {
    if (!condition) file.damaged(what);
  };
  try {
    const Json& header = file.header();
    require(header.contains("contents") && header["contents"] == kContents, "it holds something else");
    Matrix moments = file.matrix("moments");
    const auto targets = header.at("targets").get<Index>();
    require(targets >= 0 && (moments.rows() == 0 || moments.cols() == targets + 1), "the targets do not fit");
    Accumulator sums(moments.rows(), targets, file.numbers("shift"));
    const std::vector<double> triangle = file.numbers("gram");
    const auto features = static_cast<std::size_t>(sums.features());
    require(triangle.size() == features * (features + 1) / 2, "the products of the features do not fit");
    for (Index i = 0; i < sums.features(); ++i)
      std::copy_n(triangle.data() + i * (i + 1) / 2, i + 1, sums.gram_.row(i));
    if (moments.rows() > 0) sums.moments_ = std::move(moments);
    sums.yy_ = file.numbers("squares");
    sums.target_sums_ = file.numbers("target_sums");
    const auto wanted = static_cast<std::size_t>(targets);
    require(sums.yy_.size() == wanted && sums.target_sums_.size() == wanted && sums.shift_.size() == wanted,
            "the sums of the targets do not fit");
    sums.weight_ = number_from_json(header.at("weight"));
    sums.rows_ = header.at("rows").get<Index>();
    sums.single_precision_ = header.at("single_precision").get<bool>();
    require(sums.rows_ >= 0 && sums.weight_ >= 0 && std::isfinite(sums.weight_), "the weight is not allowed");
    return sums;
  } catch (const Json::exception& error) {
    file.damaged(error.what());
  }
}

}  // namespace weft::detail
