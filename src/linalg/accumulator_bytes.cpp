// Sums as bytes: a block file with the header { "contents": "sums", … } (linalg/accumulator_blocks.hpp).
#include "linalg/accumulator_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {
constexpr const char* kContents = "sums";
}

Json AccumulatorBlocks::store(const Accumulator& sums, const std::string& prefix, BlockFileWriter& file) {
  const Index features = sums.features();
  std::vector<double> triangle;
  triangle.reserve(static_cast<std::size_t>(features * (features + 1) / 2));
  for (Index i = 0; i < features; ++i) triangle.insert(triangle.end(), sums.gram_.row(i), sums.gram_.row(i) + i + 1);
  file.add(prefix + "gram", std::move(triangle));
  file.add(prefix + "moments", sums.moments_);
  file.add(prefix + "squares", sums.yy_);
  file.add(prefix + "target_sums", sums.target_sums_);
  file.add(prefix + "shift", sums.shift_);
  return {{"rows", sums.rows_},
          {"targets", sums.targets()},
          {"weight", number_to_json(sums.weight_)},
          {"single_precision", sums.single_precision_}};
}

Accumulator AccumulatorBlocks::read(const Json& json, const std::string& prefix, const BlockFileReader& file) {
  const auto require = [&](bool condition, const char* what) {
    if (!condition) file.damaged(what);
  };
  Matrix moments = file.matrix(prefix + "moments");
  const std::vector<double> triangle = file.numbers(prefix + "gram");
  const auto features = static_cast<std::size_t>(moments.rows());
  require(triangle.size() == features * (features + 1) / 2, "the products of the features do not fit");
  std::vector<double> squares = file.numbers(prefix + "squares");
  const auto targets = whole_from_json(json.at("targets"));
  require(targets == static_cast<Index>(squares.size()) && (features == 0 || moments.cols() == targets + 1),
          "the targets do not fit");
  Accumulator sums(moments.rows(), targets, file.numbers(prefix + "shift"));
  for (Index i = 0; i < sums.features(); ++i) std::copy_n(triangle.data() + i * (i + 1) / 2, i + 1, sums.gram_.row(i));
  if (moments.rows() > 0) sums.moments_ = std::move(moments);
  sums.yy_ = std::move(squares);
  sums.target_sums_ = file.numbers(prefix + "target_sums");
  const auto wanted = static_cast<std::size_t>(targets);
  require(sums.target_sums_.size() == wanted && sums.shift_.size() == wanted, "the sums of the targets do not fit");
  sums.weight_ = number_from_json(json.at("weight"));
  sums.rows_ = whole_from_json(json.at("rows"));
  sums.single_precision_ = json.at("single_precision").get<bool>();
  require(sums.rows_ >= 0 && sums.weight_ >= 0 && std::isfinite(sums.weight_), "the weight is not allowed");
  return sums;
}

std::string Accumulator::to_bytes() const {
  BlockFileWriter file;
  Json header = {{"contents", kContents}};
  header.update(AccumulatorBlocks::store(*this, "", file));
  return file.bytes(std::move(header));
}

Accumulator Accumulator::from_bytes(const std::string& bytes, const std::string& name) {
  const BlockFileReader file(name, bytes, kContents);
  return file.parsed_contents([&](const Json& header) { return AccumulatorBlocks::read(header, "", file); });
}

}  // namespace weft::detail
