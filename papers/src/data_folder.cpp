#include "data_folder.hpp"

#include <weft/error.hpp>

#include "authors_split.hpp"
#include "catalogue.hpp"

#include <algorithm>
#include <filesystem>

namespace weft::papers {

namespace {

constexpr double kTestShare = 0.25;  // of the rows of a set without a split of its own

}  // namespace

DataFolder::DataFolder(const std::string& path) : path_(data_folder(path)) {
  if (!std::filesystem::is_directory(path_))
    throw Error(ErrorKind::file, "this is not a folder", path_, "check --data");
}

bool DataFolder::has(const std::string& name) const {
  const auto& files = find_data_set(name).files;
  return std::all_of(files.begin(), files.end(),
                     [&](const DataFile& file) { return std::filesystem::exists(path_ + '/' + file.name); });
}

Data DataFolder::read(const std::string& name, const char* part) const {
  const auto& files = find_data_set(name).files;
  const auto file = std::find_if(files.begin(), files.end(), [&](const DataFile& f) { return f.part == part; });
  ReadOptions options;
  options.target = name == "mnist" ? "" : "target";
  Data data = weft::read(path_ + '/' + file->name, options);
  return name == "epileptic_seizure" ? one_against_rest(data, "target", "1") : data;
}

Data DataFolder::open(const std::string& name) const {
  return read(name, find_data_set(name).files.front().part.c_str());
}

DataSplit DataFolder::split(const std::string& name, std::uint64_t seed, const Run& run) const {
  if (find_data_set(name).has_official_split()) return {open(name), read(name, "test")};
  return hold_out(open(name), encoding_of(name), {.holdout = kTestShare, .seed = seed}, run);
}

DataSplit DataFolder::split_of_authors(const std::string& name) const {
  const Data data = open(name);
  std::vector<std::uint8_t> tested(static_cast<std::size_t>(count_rows(data)));
  for (const Index row : authors_split(static_cast<Index>(tested.size())).test)
    tested[static_cast<std::size_t>(row)] = 1;
  return {select_rows(data, tested, 0), select_rows(data, tested, 1)};
}

bool is_classification(const std::string& name) {
  return find_data_set(name).task == TargetKind::classification;
}

EncodeOptions encoding_of(const std::string& name) {
  EncodeOptions options;
  options.task = find_data_set(name).task;
  return options;
}

double split_overlap(const std::string& name) {
  return find_data_set(name).has_official_split() ? 0 : kTestShare / (1 - kTestShare);
}

Index count_rows(const Data& data) {
  const auto reader = data.open();
  RawBlock block;
  Index rows = 0;
  while (reader->next(block, 4096)) rows += block.rows();
  return rows;
}

}  // namespace weft::papers
