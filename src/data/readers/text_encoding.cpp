#include "data/readers/text_encoding.hpp"

#include <weft/error.hpp>

#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace weft::detail {

namespace {

constexpr std::size_t kSoughtBytes = std::size_t{1} << 20;
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr char32_t kReplacement = 0xFFFD;

bool has_mark_of_utf16(std::string_view start) {
  return start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF");
}

/// A character may be cut at the end of a sample.
bool is_utf8_sample(std::string_view sample) {
  const std::size_t rest = sample.size() - valid_utf8(sample);
  return rest == 0 || (rest < 4 && sample.size() == kSoughtBytes);
}

/// Of another encoding, in pieces.
class DecodedBytes : public ByteSource {
 public:
  explicit DecodedBytes(std::unique_ptr<ByteSource> source) : source_(std::move(source)), bytes_(kPieceBytes, '\0') {}
  double fraction() const override { return source_->fraction(); }

 protected:
  std::size_t fill(char* to, std::size_t size) override {
    while (at_ == text_.size() && !ended_) {
      const std::size_t count = source_->read(bytes_.data(), bytes_.size());
      ended_ = count == 0;
      text_.clear();
      at_ = 0;
      decode(std::string_view(bytes_).substr(0, count), text_);
    }
    const std::size_t count = std::min(size, text_.size() - at_);
    std::copy_n(text_.data() + at_, count, to);
    at_ += count;
    return count;
  }

  /// Appends what the next bytes mean; none: the end.
  virtual void decode(std::string_view bytes, std::string& text) = 0;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string bytes_;
  std::string text_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

class Windows1252Bytes : public DecodedBytes {
 public:
  using DecodedBytes::DecodedBytes;

 protected:
  void decode(std::string_view bytes, std::string& text) override {
    // 80 … 9F; the five that are not assigned are control characters, as browsers take them.
    static constexpr std::array<char16_t, 32> kAbove = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                                        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80)
        text += c;
      else
        append_utf8(byte < 0xA0 ? kAbove[byte - 0x80u] : byte, text);
    }
  }
};

class Utf16Bytes : public DecodedBytes {
 public:
  Utf16Bytes(std::unique_ptr<ByteSource> source, bool big_endian, std::string name)
      : DecodedBytes(std::move(source)), big_endian_(big_endian), name_(std::move(name)) {}

 protected:
  void decode(std::string_view bytes, std::string& text) override {
    if (bytes.empty()) return finish(text);
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (half_) append(static_cast<char16_t>(big_endian_ ? *half_ << 8 | byte : byte << 8 | *half_), text);
      half_ = half_ ? std::nullopt : std::optional(byte);
    }
  }

 private:
  void append(char16_t unit, std::string& text) {
    const bool low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ && low) {
      append_utf8(0x10000 + (char32_t{*high_} - 0xD800) * 0x400 + (unit - 0xDC00u), text);
      high_ = std::nullopt;
      return;
    }
    if (std::exchange(high_, std::nullopt)) append_utf8(kReplacement, text);
    if (unit >= 0xD800 && unit < 0xDC00)
      high_ = unit;
    else
      append_utf8(low ? kReplacement : char32_t{unit}, text);
  }

  void finish(std::string& text) {
    if (half_)
      throw Error(ErrorKind::data, "the UTF-16 text ends within a character", name_, "fetch or write the file again");
    if (std::exchange(high_, std::nullopt)) append_utf8(kReplacement, text);
  }

  bool big_endian_;
  std::string name_;
  std::optional<unsigned char> half_;  ///< of a unit
  std::optional<char16_t> high_;       ///< surrogate whose other half has not come
};

/// Without a mark: most texts have many characters below U+0100, whose first byte is 0.
bool is_big_endian(ByteSource& source) {
  const std::string_view start = source.peek(kPieceBytes);
  if (has_mark_of_utf16(start)) return start.front() == '\xFE';
  std::array<std::size_t, 2> zeros = {};
  for (std::size_t k = 0; k < start.size(); ++k) zeros[k % 2] += start[k] == '\0';
  return zeros[0] > zeros[1];
}

}  // namespace

TextEncoding find_encoding(ByteSource& source, TextEncoding wanted, const std::string& name) {
  if (wanted != TextEncoding::automatic && wanted != TextEncoding::windows_1252) return wanted;
  const std::string_view sample = source.peek(kSoughtBytes);
  const bool utf8 = is_utf8_sample(sample);
  if (wanted == TextEncoding::windows_1252) {
    const bool ascii =
        std::all_of(sample.begin(), sample.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    if (utf8 && !ascii)
      throw Error(ErrorKind::data, "this text is UTF-8, and not Windows-1252", name, "leave ‹encoding› out");
    return wanted;
  }
  if (has_mark_of_utf16(sample)) return TextEncoding::utf_16;
  const bool text = sample.find('\0') == std::string_view::npos;
  return text && !utf8 ? TextEncoding::windows_1252 : TextEncoding::automatic;
}

std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> source, TextEncoding encoding,
                                    const std::string& name) {
  if (encoding == TextEncoding::windows_1252) return std::make_unique<Windows1252Bytes>(std::move(source));
  if (encoding != TextEncoding::utf_16) return source;
  const bool big_endian = is_big_endian(*source);
  std::array<char, 2> mark = {};
  if (has_mark_of_utf16(source->peek(mark.size()))) source->read(mark.data(), mark.size());
  return std::make_unique<Utf16Bytes>(std::move(source), big_endian, name);
}

}  // namespace weft::detail
