// The folder that holds the files of the catalogue, or some of them.
#pragma once

#include <weft/encoder.hpp>

#include <string>
#include <vector>

namespace weft::papers {

class DataFolder {
 public:
  /// `path`, or $WEFT_DATA where it is empty; throws where neither is a folder.
  explicit DataFolder(const std::string& path);

  /// Whether all files of a set are there.
  bool has(const std::string& name) const;
  /// All rows of a set; of one with an official split the training rows.
  Data open(const std::string& name) const;
  /// The official split; where there is none, a quarter of the rows, drawn by the seed, is the test.
  DataSplit split(const std::string& name, std::uint64_t seed, const Run& run) const;
  /// The authors' own (authors_split.hpp), the same for all seeds; of a set with an official split that of its training
  /// rows, which Dubé & Marchand 2023 use for mnist17 in Table 2 and Figure 1.
  DataSplit split_of_authors(const std::string& name) const;

 private:
  Data read(const std::string& name, const char* part) const;

  std::string path_;
};

/// How the papers read a set: wine's class is a number to them. Seizures, class 1 against the rest, are so already when
/// they come from a DataFolder.
EncodeOptions encoding_of(const std::string& name);
bool is_classification(const std::string& name);

/// Test rows over training rows where every seed draws its own split (see paired_t_p); 0 for an official one.
double split_overlap(const std::string& name);

/// Reads the table once.
Index count_rows(const Data& data);

}  // namespace weft::papers
