// The folder of data sets: gzip CSV files NAME.csv.gz, or NAME.train.csv.gz and NAME.test.csv.gz, with a column
// "target" that comes last; MNIST as its four IDX files.
#pragma once

#include <weft/encoder.hpp>

#include <string>
#include <vector>

namespace weft {

class DataFolder {
 public:
  /// `path`, or $WEFT_DATA where it is empty; throws where neither is a folder.
  explicit DataFolder(std::string path);

  bool has(const std::string& name) const;
  /// All rows of a set; of one with an official split the training rows.
  Data open(const std::string& name) const;
  /// The official split; where there is none, a quarter of the rows, drawn by the seed, is the test.
  DataSplit split(const std::string& name, std::uint64_t seed, const Run& run) const;
  bool has_official_split(const std::string& name) const;

 private:
  std::string file(const std::string& name, const char* part) const;
  Data read(const std::string& name, const char* part) const;

  std::string path_;
};

/// How the papers read a set: wine's class is a number to them. Seizures, class 1 against the rest, are so already when
/// they come from a DataFolder.
EncodeOptions encoding_of(const std::string& name);
bool is_classification(const std::string& name);

/// Reads the table once.
Index count_rows(const Data& data);

}  // namespace weft
