#include "data/readers/byte_source.hpp"

#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::gzip;
using testing::TemporaryFolder;

std::string drain(ByteSource& source, std::size_t chunk) {
  std::string all;
  std::string piece(chunk, '\0');
  while (const std::size_t count = source.read(piece.data(), chunk)) all.append(piece, 0, count);
  return all;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i * 7919 % 100003) + (i % 10 == 9 ? "\n" : ",");
  return text;
}

TEST(ByteSource, PlainGzipAndSeveralMembersGiveTheSameBytes) {
  const TemporaryFolder folder;
  const std::string text = long_text();
  const std::string half = text.substr(0, text.size() / 2);
  const std::string rest = text.substr(text.size() / 2);
  const std::string plain = folder.write("plain", text);
  const std::string packed = folder.write("packed", gzip(text));
  const std::string members = folder.write("members", gzip(half) + gzip("") + gzip(rest));
  const std::string padded = folder.write("padded", gzip(text) + std::string(512, '\0'));
  for (const std::string& path : {plain, packed, members, padded})
    for (const std::size_t chunk : {std::size_t{977}, std::size_t{1} << 18}) {
      const auto source = open_bytes(path);
      EXPECT_EQ(drain(*source, chunk), text) << path;
      EXPECT_EQ(source->fraction(), 1) << path;
    }
}

TEST(ByteSource, PeekConsumesNothing) {
  const TemporaryFolder folder;
  const std::string text = long_text();
  for (const std::string& bytes : {text, gzip(text)}) {
    const auto source = open_bytes(folder.write("file", bytes));
    EXPECT_EQ(source->peek(10), text.substr(0, 10));
    EXPECT_EQ(source->peek(5000), text.substr(0, 5000));
    char start[7];
    ASSERT_EQ(source->read(start, 7), 7u);
    EXPECT_EQ(source->peek(20), text.substr(7, 20));
    EXPECT_EQ(source->peek(2 * text.size()), text.substr(7));
    EXPECT_EQ(drain(*source, 1000), text.substr(7));
    EXPECT_EQ(source->peek(1), "");
  }
}

TEST(ByteSource, TruncatedGzipIsAnErrorWithThePlace) {
  const TemporaryFolder folder;
  const std::string packed = gzip(long_text());
  // Also inside the header and the trailer.
  for (const std::size_t size : {std::size_t{5}, packed.size() / 2, packed.size() - 3}) {
    const std::string path = folder.write("cut.gz", packed.substr(0, size));
    const Error error = error_of([&] { drain(*open_bytes(path), 4096); });
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place(), path + ": byte " + std::to_string(size));
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(ByteSource, DamagedGzipIsAnError) {
  const TemporaryFolder folder;
  std::string packed = gzip(long_text());
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  const std::string flipped = folder.write("flipped.gz", packed);
  EXPECT_TRUE(contains(error_of([&] { drain(*open_bytes(flipped), 4096); }).message(), "damaged"));
  std::string second = gzip(long_text());
  second[0] = static_cast<char>(second[0] ^ 0x55);
  const std::string member = folder.write("member.gz", gzip(long_text()) + second);
  EXPECT_TRUE(contains(error_of([&] { drain(*open_bytes(member), 4096); }).message(), "damaged"));
  const std::string cut = folder.write("cut_member.gz", gzip(long_text()) + gzip(long_text()).substr(0, 1));
  EXPECT_TRUE(contains(error_of([&] { drain(*open_bytes(cut), 4096); }).message(), "end too early"));
  const std::string junk = folder.write("junk.gz", gzip("1\n") + "junk behind the member");
  EXPECT_TRUE(contains(error_of([&] { drain(*open_bytes(junk), 4096); }).message(), "damaged"));
}

TEST(ByteSource, WhatCannotBeOpenedIsAFileError) {
  const TemporaryFolder folder;
  const std::string absent = folder.file("absent.csv");
  const Error missing = error_of([&] { open_bytes(absent); });
  EXPECT_EQ(missing.kind(), ErrorKind::file);
  EXPECT_EQ(missing.place(), absent);
  EXPECT_FALSE(missing.hint().empty());
  const Error directory = error_of([&] { open_bytes(folder.file("")); });
  EXPECT_EQ(directory.kind(), ErrorKind::file);
  EXPECT_TRUE(contains(directory.hint(), "folder"));
}

TEST(ByteSource, UnreadableFileIsAFileError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  const std::string path = folder.write("locked", "1\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_TRUE(contains(error_of([&] { open_bytes(path); }).hint(), "permissions"));
}

}  // namespace
}  // namespace weft
