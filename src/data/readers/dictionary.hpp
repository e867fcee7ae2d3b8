// The distinct texts of a column and their codes, in order of appearance.
#pragma once

#include <weft/data.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::detail {

class Dictionary {
 public:
  /// Bounds the memory of a column of names. How many categories a column may have is the encoder's business: it leaves
  /// out columns that identify rows.
  static constexpr std::size_t kLargest = 1'000'000;

  /// The code of `text`, a new one if it is new; -1 when it would be one too many.
  Index code(std::string_view text) {
    if (const auto found = codes_.find(text); found != codes_.end()) return found->second;
    if (texts_.size() == kLargest) return -1;
    texts_.emplace_back(text);
    return codes_.emplace(std::string(text), static_cast<Index>(texts_.size()) - 1).first->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::vector<std::string> texts_;
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> codes_;
};

/// For a column whose dictionary is full.
[[noreturn]] void throw_too_many_texts(const std::string& column, const std::string& place);

}  // namespace weft::detail
