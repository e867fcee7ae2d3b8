// Encodings against iconv, and UTF-8 against the validator of the JSON library.
#include "data/readers/text_encoding.hpp"

#include "core/utf8.hpp"
#include "data/table_testing.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <random>

#include <iconv.h>

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

/// By the C library; empty where it refuses the text.
std::string converted(const std::string& text, const char* from, const char* to) {
  const iconv_t converter = ::iconv_open(to, from);
  std::string result(4 * text.size() + 16, '\0');
  std::string copy = text;
  char* in = copy.data();
  char* out = result.data();
  std::size_t in_left = copy.size(), out_left = result.size();
  const bool done = ::iconv(converter, &in, &in_left, &out, &out_left) != static_cast<std::size_t>(-1);
  ::iconv_close(converter);
  result.resize(done ? result.size() - out_left : 0);
  return result;
}

std::string decoded_text(const std::string& bytes, TextEncoding encoding, std::size_t chunk = 1000) {
  const auto source = decoded(memory_bytes(bytes), encoding, "t.csv");
  std::string all;
  std::string piece(chunk, '\0');
  while (const std::size_t count = source->read(piece.data(), chunk)) all.append(piece, 0, count);
  return all;
}

TextEncoding encoding_of(const std::string& bytes, TextEncoding wanted = TextEncoding::automatic) {
  return find_encoding(*memory_bytes(bytes), wanted, "t.csv");
}

std::string random_text(std::size_t characters, std::uint64_t seed) {
  std::mt19937_64 draws(seed);
  const std::array<char32_t, 5> ends = {0x80, 0x800, 0xD800, 0x10000, 0x110000};
  std::string text;
  while (characters > 0) {
    const char32_t c = static_cast<char32_t>(draws() % ends[draws() % ends.size()]);
    if ((c >= 0xD800 && c < 0xE000) || c == 0xFEFF) continue;
    append_utf8(c, text);
    --characters;
  }
  return text;
}

bool json_takes(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

TEST(Utf8, IsWhatTheJsonLibraryTakes) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second)
      for (const std::string rest : {"", "\x80", "\xBF\x80", "\x80\x80x", "a"}) {
        const std::string text = std::string{static_cast<char>(first), static_cast<char>(second)} + rest;
        ASSERT_EQ(is_utf8(text), json_takes(text)) << first << " " << second << " " << rest.size();
      }
  const std::string whole = random_text(3000, 1);
  EXPECT_TRUE(is_utf8(whole));
  EXPECT_EQ(valid_utf8(whole + "\xE2\x82"), whole.size());
  std::mt19937_64 draws(2);
  for (int k = 0; k < 3000; ++k) {
    std::string damaged = whole.substr(0, 200);
    damaged[draws() % damaged.size()] = static_cast<char>(draws());
    ASSERT_EQ(is_utf8(damaged), json_takes(damaged)) << k;
  }
}

TEST(TextEncoding, Windows1252IsThatOfTheCLibrary) {
  int known = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    const std::string expected = converted(one, "CP1252", "UTF-8");
    if (expected.empty()) continue;  // five bytes are not assigned
    ++known;
    EXPECT_EQ(decoded_text(one, TextEncoding::windows_1252), expected) << byte;
  }
  EXPECT_EQ(known, 251);
}

TEST(TextEncoding, Utf16IsThatOfTheCLibraryInPiecesOfAnySize) {
  const std::string text = random_text(70000, 3);  // more than the reader takes at a time
  for (const char* order : {"UTF-16LE", "UTF-16BE"}) {
    const std::string units = converted(text, "UTF-8", order);
    ASSERT_FALSE(units.empty());
    const std::string mark = order[6] == 'L' ? "\xFF\xFE" : "\xFE\xFF";
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{999}, std::size_t{1} << 20})
      EXPECT_TRUE(decoded_text(mark + units, TextEncoding::utf_16, chunk) == text) << order << " " << chunk;
    const std::string words = "size,town\n1,Bern\n2,Z\xC3\xBCrich\n";
    EXPECT_EQ(decoded_text(converted(words, "UTF-8", order), TextEncoding::utf_16), words) << "without a mark";
  }
}

TEST(TextEncoding, HalvesOfCharactersAreReplacedOrRefused) {
  const std::string mark = "\xFF\xFE";
  const auto unit = [](int value) {
    return std::string{static_cast<char>(value & 255), static_cast<char>(value >> 8)};
  };
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(decoded_text(mark + unit('a') + unit(0xD800) + unit('b'), TextEncoding::utf_16), "a" + replaced + "b");
  EXPECT_EQ(decoded_text(mark + unit(0xDC00) + unit(0xD800), TextEncoding::utf_16), replaced + replaced);
  EXPECT_EQ(decoded_text(mark + unit(0xD801) + unit(0xD801) + unit(0xDC37), TextEncoding::utf_16),
            replaced + "\xF0\x90\x90\xB7");
  const std::string said = error_of([&] { decoded_text(mark + "a", TextEncoding::utf_16); }).what();
  EXPECT_TRUE(contains(said, "t.csv") && contains(said, "ends within a character")) << said;
}

TEST(TextEncoding, IsFoundInTheStartOfAFile) {
  EXPECT_EQ(encoding_of("a,b\n1,2\n"), TextEncoding::automatic);
  EXPECT_EQ(encoding_of("stra\xC3\x9F"
                        "e,b\n1,2\n"),
            TextEncoding::automatic);
  EXPECT_EQ(encoding_of("stra\xDF"
                        "e,b\n1,2\n"),
            TextEncoding::windows_1252);
  EXPECT_EQ(encoding_of("\xFF\xFE" + std::string("a\0", 2)), TextEncoding::utf_16);
  EXPECT_EQ(encoding_of("\xFE\xFF" + std::string("\0a", 2)), TextEncoding::utf_16);
  EXPECT_EQ(encoding_of("\x93NUMPY" + std::string("\1\0v", 3)), TextEncoding::automatic) << "no text";
  EXPECT_EQ(encoding_of(""), TextEncoding::automatic);
  EXPECT_EQ(encoding_of("caf\xE9", TextEncoding::utf_8), TextEncoding::utf_8) << "as it is";
  // The sample ends within a character.
  const std::string before((std::size_t{1} << 20) - 1, 'a');
  EXPECT_EQ(encoding_of(before + "\xC3\x9F"), TextEncoding::automatic);
  EXPECT_EQ(encoding_of(before.substr(1) + "\xE9"), TextEncoding::windows_1252);
}

TEST(TextEncoding, AGivenOneThatCannotBeIsRefused) {
  EXPECT_EQ(encoding_of("a,b\n", TextEncoding::windows_1252), TextEncoding::windows_1252);
  const std::string said = error_of([] { encoding_of("Z\xC3\xBCrich", TextEncoding::windows_1252); }).what();
  EXPECT_TRUE(contains(said, "UTF-8, and not Windows-1252") && contains(said, "encoding")) << said;
}

}  // namespace
}  // namespace weft
