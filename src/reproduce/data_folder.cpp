#include "reproduce/data_folder.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace weft {

namespace {

constexpr std::array kClassification = {
    "adult",    "breast_cancer", "bank_marketing", "mnist17",           "mnist",
    "phishing", "skin",          "magic",          "epileptic_seizure", "covtype_60k"};

}  // namespace

DataFolder::DataFolder(std::string path) : path_(std::move(path)) {
  if (path_.empty())
    if (const char* const variable = std::getenv("WEFT_DATA")) path_ = variable;
  if (path_.empty())
    throw Error(ErrorKind::option, "where the data sets are is not said", "--data",
                "name their folder there or in $WEFT_DATA; weft data list says what belongs in it");
  if (!std::filesystem::is_directory(path_)) throw Error(ErrorKind::file, "this is no folder", path_, "check --data");
}

std::string DataFolder::file(const std::string& name, const char* part) const {
  if (name == "mnist")
    return fmt::format("{}/mnist_{}-images-idx3-ubyte.gz", path_, std::string(part) == "test" ? "t10k" : "train");
  return fmt::format("{}/{}{}{}.csv.gz", path_, name, *part == 0 ? "" : ".", part);
}

bool DataFolder::has(const std::string& name) const {
  return std::filesystem::exists(file(name, "")) || has_official_split(name);
}

bool DataFolder::has_official_split(const std::string& name) const {
  return std::filesystem::exists(file(name, "train")) && std::filesystem::exists(file(name, "test"));
}

Data DataFolder::read(const std::string& name, const char* part) const {
  ReadOptions options;
  options.target = name == "mnist" ? "" : "target";
  Data data = weft::read(file(name, part), options);
  return name == "epileptic_seizure" ? one_against_rest(data, "target", "1") : data;
}

Data DataFolder::open(const std::string& name) const {
  return read(name, has_official_split(name) ? "train" : "");
}

DataSplit DataFolder::split(const std::string& name, std::uint64_t seed, const Run& run) const {
  if (has_official_split(name)) return {read(name, "train"), read(name, "test")};
  return hold_out(open(name), encoding_of(name), {.holdout = 0.25, .seed = seed}, run);
}

bool is_classification(const std::string& name) {
  return std::find(kClassification.begin(), kClassification.end(), name) != kClassification.end();
}

EncodeOptions encoding_of(const std::string& name) {
  EncodeOptions options;
  options.task = is_classification(name) ? "classification" : "regression";
  return options;
}

Index count_rows(const Data& data) {
  const auto reader = data.open();
  RawBlock block;
  Index rows = 0;
  while (reader->next(block, 4096)) rows += block.rows();
  return rows;
}

}  // namespace weft
