// Small generated files in place of all data sets, with their names, columns and kinds of targets.
#pragma once

#include "catalogue.hpp"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

namespace weft::papers::testing {

inline constexpr int kStandInRows = 120;

/// Waves that no linear function fits, the same for the same place.
inline double stand_in_value(int row, int column) {
  return std::sin(1.7 * row + 0.9 * column * (1 + row % 5)) + 0.3 * std::cos(0.37 * row * (column + 1));
}

/// What the target is made of; the first inputs tell it.
inline double stand_in_signal(int row) {
  return stand_in_value(row, 0) + 0.8 * stand_in_value(row, 1) * stand_in_value(row, 2);
}

inline std::string stand_in_target(const DataSet& set, int row) {
  const double signal = stand_in_signal(row);
  if (set.name == "wine") return std::to_string(1 + row % 3);
  if (set.task == TargetKind::regression) return std::to_string(10 + 3 * signal);
  if (set.name == "adult") return signal > 0 ? ">50K" : "<=50K";
  if (set.name == "epileptic_seizure") return std::to_string(signal > 0.3 ? 1 : 2 + row % 4);
  if (set.name == "covtype_60k") return std::to_string(1 + row % 7);
  return signal > 0 ? "1" : "0";
}

/// Plain text under the name of a gzip file: readers go by the content.
inline void write_csv_stand_in(const std::string& folder, const DataSet& set, const DataFile& file) {
  std::ofstream out(folder + "/" + file.name);
  for (Index j = 0; j + 1 < file.columns; ++j) out << 'x' << j << ',';
  out << "target\n";
  const int first = file.part == "test" ? kStandInRows : 0;
  for (int i = first; i < first + (file.part == "test" ? kStandInRows / 2 : kStandInRows); ++i) {
    for (int j = 0; j + 1 < file.columns; ++j) {
      if (set.name == "adult" && j >= 3 && j < 6)
        out << "abc"[(i + j) % 3] << ',';
      else
        out << stand_in_value(i, j) << ',';
    }
    out << stand_in_target(set, i) << '\n';
  }
}

inline void write_idx_stand_in(const std::string& folder, const DataFile& file) {
  const bool images = file.name.find("images") != std::string::npos;
  const int rows = file.part == "test" ? kStandInRows / 2 : kStandInRows;
  std::ofstream out(folder + "/" + file.name, std::ios::binary);
  const auto put = [&](int number) {
    for (int shift = 24; shift >= 0; shift -= 8) out.put(static_cast<char>(number >> shift));
  };
  put(images ? 0x803 : 0x801);
  put(rows);
  if (images) put(28), put(28);
  for (int i = 0; i < rows; ++i) {
    const int digit = i % 10;
    if (!images) out.put(static_cast<char>(digit));
    for (int j = 0; images && j < 784; ++j)
      out.put(static_cast<char>(j % 10 == digit ? 200 + i % 50 : (i * 7 + j * 13) % 60));
  }
}

inline void write_stand_ins(const std::string& folder) {
  for (const DataSet& set : catalogue())
    for (const DataFile& file : set.files)
      if (set.name == "mnist")
        write_idx_stand_in(folder, file);
      else
        write_csv_stand_in(folder, set, file);
}

}  // namespace weft::papers::testing
