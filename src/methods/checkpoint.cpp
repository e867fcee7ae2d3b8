#include "methods/checkpoint.hpp"

#include "core/atomic_file.hpp"
#include "core/json_text.hpp"
#include "distributed/packing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

namespace weft::detail {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

namespace {

using SortedJson = nlohmann::json;
constexpr std::string_view kCheckpointMagic = "weft checkpoint 1\n";

class Crc {
 public:
  void add(const void* data, std::size_t bytes) {
    // zlib takes a null pointer, which is what an empty array has, as a request to start a new checksum.
    if (bytes > 0) value_ = crc32_z(value_, static_cast<const unsigned char*>(data), bytes);
    bytes_ += bytes;
  }
  void add(View<const double> view) {
    for (Index i = 0; i < view.rows; ++i) add(view.row(i), static_cast<std::size_t>(view.cols) * sizeof(double));
  }
  /// Collective: of what all processes have added, by rank.
  void gather(const RowShare* share) {
    if (share == nullptr) return;
    Crc all;
    for (const std::string& other : share->processes->all_gather(std::move(Packer().add(value_).add(bytes_)).bytes())) {
      Unpacker unpacker(other);
      const auto value = unpacker.number<uLong>();
      const auto bytes = unpacker.number<std::size_t>();
      all.value_ = crc32_combine(all.value_, value, static_cast<z_off_t>(bytes));
      all.bytes_ += bytes;
    }
    *this = all;
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(value_); }

 private:
  uLong value_ = crc32_z(0, nullptr, 0);
  std::size_t bytes_ = 0;
};

[[noreturn]] void damaged(const std::string& path) {
  throw Error(ErrorKind::file, "the file is damaged or not a checkpoint", path,
              "remove it and start again without ‹resume›");
}

std::string checkpoint_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(ErrorKind::file, "there is no checkpoint to resume from", path,
                "give the file of the earlier ‹checkpoint›, or start without ‹resume›");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What stands between magic and checksum, once both are right.
std::string_view checked_body(std::string_view bytes, const std::string& path) {
  std::uint32_t stored = 0;
  if (bytes.size() < kCheckpointMagic.size() + sizeof stored || !bytes.starts_with(kCheckpointMagic)) damaged(path);
  const std::size_t end = bytes.size() - sizeof stored;
  std::memcpy(&stored, bytes.data() + end, sizeof stored);
  Crc crc;
  crc.add(bytes.data(), end);
  if (crc.value() != stored) damaged(path);
  return bytes.substr(kCheckpointMagic.size(), end - kCheckpointMagic.size());
}

/// With every entry there and of its type: the sum says only that nothing was changed by accident.
SortedJson checkpoint_header(std::string_view line, const std::string& path) {
  if (nests_too_deeply(line)) damaged(path);
  SortedJson header = SortedJson::parse(line, nullptr, false);
  const auto is_count = [](const SortedJson& json) {
    return json.is_number_unsigned() && json.get<std::uint64_t>() <= std::numeric_limits<Index>::max();
  };
  if (!header.is_object() || !header["fit"].is_string() || !header["digest"].is_string() || !is_count(header["step"]) ||
      !header["arrays"].is_array() || !std::all_of(header["arrays"].begin(), header["arrays"].end(), is_count))
    damaged(path);
  return header;
}

template <class T>
void add_field(SortedJson& into, const char* name, const T& member) {
  if constexpr (is_optional<T>::value) {
    if (member) into[name] = *member;
  } else {
    into[name] = stored_value(member);
  }
}

SortedJson fit_json(const FitOptions& options) {
  SortedJson json = {{"fit", method_name(options.method)}};
  for_each_fit_field(options, [&](const auto& field, const auto& member) { add_field(json, field.name, member); });
  json.erase("checkpoint");
  json.erase("resume");
  return json;
}

SortedJson family_json(const FamilyOptions& options) {
  SortedJson json;
  for_each_field<FamilyOptions>([&](const auto& field) { add_field(json, field.name, options.*field.member); });
  return json;
}

}  // namespace

void Checkpoint::save(const std::string& path) const {
  SortedJson header = {{"fit", fit}, {"digest", digest}, {"step", step}, {"arrays", SortedJson::array()}};
  for (const auto& array : arrays) header["arrays"].push_back(array.size());
  AtomicFile file(path);
  Crc crc;
  const auto write = [&](const void* data, std::size_t bytes) {
    file.write(data, bytes);
    crc.add(data, bytes);
  };
  const std::string line = header.dump() + "\n";
  write(kCheckpointMagic.data(), kCheckpointMagic.size());
  write(line.data(), line.size());
  for (const auto& array : arrays) write(array.data(), array.size() * sizeof(double));
  const std::uint32_t sum = crc.value();
  file.write(&sum, sizeof sum);
  file.commit();
}

Checkpoint Checkpoint::load(const std::string& path, const std::string& fit, const std::string& digest,
                            const RowShare* share) {
  const bool reads = share == nullptr || share->processes->rank() == 0;
  std::string bytes = reads ? checkpoint_bytes(path) : std::string();
  if (share != nullptr) share->processes->broadcast(bytes, 0);
  std::string_view body = checked_body(bytes, path);
  const std::size_t line = body.find('\n');
  if (line == std::string_view::npos) damaged(path);
  const SortedJson header = checkpoint_header(body.substr(0, line), path);
  Checkpoint result{header["fit"], header["digest"], header["step"]};
  if (result.fit != fit)
    throw Error(ErrorKind::option, fmt::format("the checkpoint was written by ‹fit› {}, not {}", result.fit, fit), path,
                "resume with the options it was written with");
  if (result.digest != digest)
    throw Error(ErrorKind::option, "the checkpoint was written with other options or other data", path,
                "resume with the options and data it was written with, or start without ‹resume›");
  body.remove_prefix(line + 1);
  for (const std::size_t size : header["arrays"]) {
    if (size > body.size() / sizeof(double)) damaged(path);
    std::vector<double>& array = result.arrays.emplace_back(size);
    if (size > 0) std::memcpy(array.data(), body.data(), size * sizeof(double));
    body.remove_prefix(size * sizeof(double));
  }
  if (!body.empty()) damaged(path);
  return result;
}

void require_state(bool holds, const std::string& path) {
  if (!holds) damaged(path);
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

std::string checkpoint_digest(const Problem& problem) {
  Crc centres;
  for (const FeaturePart& part : problem.map.parts()) {
    centres.add(part.centres.weights);
    centres.add(part.centres.phases.data(), part.centres.phases.size() * sizeof(double));
    centres.add(part.centres.scales.data(), part.centres.scales.size() * sizeof(double));
    centres.add(part.centres.group_of.data(), part.centres.group_of.size() * sizeof(Index));
  }
  Crc rows;
  problem.rows.for_each([&](const TrainingBlock& block) {
    rows.add(block.x);
    rows.add(block.y);
    if (block.weights != nullptr) rows.add(block.weights, static_cast<std::size_t>(block.rows()) * sizeof(double));
    return true;
  });
  rows.gather(problem.rows.share());
  if (const RowRule& rule = problem.rows.rule(); !rule.none())
    rows.add(rule.keys().data(), rule.keys().size() * sizeof(Index));
  return SortedJson{{"fit", fit_json(problem.options)},  {"family", family_json(problem.family)},
                    {"centres", centres.value()},        {"rows", problem.rows.rows()},
                    {"outputs", problem.rows.outputs()}, {"data", rows.value()}}
      .dump();
}

}  // namespace weft::detail
