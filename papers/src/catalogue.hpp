// The data sets of the papers: which files they are and where they come from.
#pragma once

#include <weft/encoder_statistics.hpp>
#include <weft/matrix.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::papers {

/// A prepared file. CSV: gzip, a header line, the target in the last column, named "target". IDX: gzip, as published.
struct DataFile {
  std::string name;
  std::string
      part;  ///< "train" or "test" of an official split, else empty; of IDX images and labels the images come first
  std::uint64_t bytes = 0;
  Index rows = 0;
  Index columns = 0;  ///< with the target
};

struct DataSet {
  std::string name;
  TargetKind task = TargetKind::automatic;  ///< as the papers read it
  std::string about;                        ///< one line
  std::string origin;                       ///< the page of the original
  std::string source;                       ///< the copy of it that the files were made of
  std::string prepared;                     ///< how they differ from it, apart from the format
  std::vector<DataFile> files;

  bool has_official_split() const { return !files.front().part.empty(); }
};

const std::vector<DataSet>& catalogue();
/// Throws weft::Error for a name that is not in the catalogue.
const DataSet& find_data_set(const std::string& name);

/// `path`, or $WEFT_DATA where it is empty; empty where neither is given.
std::string data_folder_or_none(const std::string& path);
/// The same; throws where neither is given.
std::string data_folder(const std::string& path);

/// By its size: another version of a file has another.
enum class FileState { missing, other_size, present };
const char* state_name(FileState state);
FileState file_state(const std::string& folder, const DataFile& file);

}  // namespace weft::papers
