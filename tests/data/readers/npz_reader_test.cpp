#include "data/readers/npz_reader.hpp"

#include "data/table_testing.hpp"

#include <cstring>

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::read_all;
using testing::Rows;
using testing::Table;
using testing::TemporaryFolder;

std::string little_endian(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string array_bytes(const std::string& descr, const std::string& order, const std::string& shape,
                        const std::string& data) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + little_endian(header.size(), 2) + header + data;
}

std::string doubles(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::string deflated(const std::string& bytes) {
  const std::string packed = testing::gzip(bytes);
  return packed.substr(10, packed.size() - 18);  // without the wrapper
}

struct Member {
  std::string name;
  std::string contents;
};

// As numpy.savez writes it: with zip64 fields in the local headers, and here also in the directory.
std::string zip_of(const std::vector<Member>& members, bool compress, bool zip64 = false) {
  std::string archive;
  std::string directory;
  for (const auto& [name, contents] : members) {
    const std::string packed = compress ? deflated(contents) : contents;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()));
    const std::string facts = little_endian(45, 2) + little_endian(0, 2) + little_endian(compress ? 8 : 0, 2) +
                              little_endian(0, 4) + little_endian(sum, 4);
    const std::string large = little_endian(1, 2) + little_endian(24, 2) + little_endian(contents.size(), 8) +
                              little_endian(packed.size(), 8) + little_endian(archive.size(), 8);
    const auto size_of = [&](std::size_t size) { return little_endian(zip64 ? 0xffffffff : size, 4); };
    directory += "PK\x01\x02" + little_endian(45, 2) + facts + size_of(packed.size()) + size_of(contents.size()) +
                 little_endian(name.size(), 2) + little_endian(zip64 ? large.size() : 0, 2) + std::string(10, '\0') +
                 size_of(archive.size()) + name + (zip64 ? large : "");
    archive += "PK\x03\x04" + facts + little_endian(0xffffffff, 4) + little_endian(0xffffffff, 4) +
               little_endian(name.size(), 2) + little_endian(large.size(), 2) + name + large + packed;
  }
  const std::size_t start = archive.size();
  archive += directory;
  if (zip64) {
    const std::size_t end = archive.size();
    archive += "PK\x06\x06" + little_endian(44, 8) + std::string(12, '\0') + little_endian(members.size(), 8) +
               little_endian(members.size(), 8) + little_endian(directory.size(), 8) + little_endian(start, 8);
    archive += "PK\x06\x07" + little_endian(0, 4) + little_endian(end, 8) + little_endian(1, 4);
  }
  return archive + "PK\x05\x06" + little_endian(0, 4) + little_endian(members.size(), 2) +
         little_endian(members.size(), 2) + little_endian(directory.size(), 4) +
         little_endian(zip64 ? 0xffffffff : start, 4) + little_endian(0, 2);
}

std::vector<Member> sample() {
  return {{"X.npy", array_bytes("<f8", "False", "(3, 2)", doubles({1, 2, 3, 4, 5, 6}))},
          {"y.npy", array_bytes("<f8", "False", "(3,)", doubles({7, 8, 9}))},
          {"w.npy", array_bytes("<f8", "False", "(3, 1)", doubles({1, 0, 2}))}};
}

TEST(NpzReader, ArraysStandSideBySide) {
  const TemporaryFolder folder;
  for (const bool compress : {false, true})
    for (const bool zip64 : {false, true})
      for (const Index block : {1, 2, 4096}) {
        const Data data = read(folder.write("a.npz", zip_of(sample(), compress, zip64)));
        for (int pass = 0; pass < 3; ++pass) {
          const Table table = read_all(data, block);
          EXPECT_EQ(table.names, (std::vector<std::string>{"X0", "X1", "y", "w"}));
          expect_rows(table.rows, {{1, 2, 7, 1}, {3, 4, 8, 0}, {5, 6, 9, 2}});
        }
      }
}

TEST(NpzReader, OneArrayIsReadLikeANpyFile) {
  const TemporaryFolder folder;
  const Table table = read_all(read(folder.write("one", zip_of({sample()[0]}, true))));
  EXPECT_EQ(table.names, (std::vector<std::string>{"x0", "x1"}));
  expect_rows(table.rows, {{1, 2}, {3, 4}, {5, 6}});
}

TEST(NpzReader, FortranOrder) {
  const TemporaryFolder folder;
  const Member by_columns{"X.npy", array_bytes("<f8", "True", "(3, 2)", doubles({1, 3, 5, 2, 4, 6}))};
  for (const bool compress : {false, true})
    for (const Index block : {1, 2, 4096})
      expect_rows(read_all(read(folder.write("a.npz", zip_of({by_columns, sample()[1]}, compress))), block).rows,
                  {{1, 2, 7}, {3, 4, 8}, {5, 6, 9}});
}

TEST(NpzReader, WhatIsNoTableIsExplained) {
  const TemporaryFolder folder;
  const auto message = [&](const std::vector<Member>& members) {
    const Error error = error_of([&] { read(folder.write("a.npz", zip_of(members, false))); });
    EXPECT_TRUE(contains(error.place(), "a.npz"));
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  };
  const Member longer{"test.npy", array_bytes("<f8", "False", "(4,)", doubles({1, 2, 3, 4}))};
  EXPECT_TRUE(contains(message({sample()[0], longer}), "X has 3 rows and array test has 4"));
  EXPECT_TRUE(contains(message({sample()[0], {"X0.npy", sample()[1].contents}}), "two columns are named 'X0'"));
  EXPECT_TRUE(contains(message({{"names.npy", array_bytes("<U3", "False", "(3,)", "")}}), "'<U3'"));
  EXPECT_TRUE(contains(message({{"table.csv", "a,b\n1,2\n"}}), "zip archive"));
  const double infinity = std::numeric_limits<double>::infinity();
  const Member bad{"y.npy", array_bytes("<f8", "False", "(3,)", doubles({1, infinity, 3}))};
  const Error error = error_of([&] { read_all(read(folder.write("a.npz", zip_of({sample()[0], bad}, false)))); });
  EXPECT_EQ(error.place(), folder.file("a.npz") + ":y:2:1");
}

TEST(NpzReader, DamagedArchivesAreErrors) {
  const TemporaryFolder folder;
  for (const bool compress : {false, true})
    for (const bool zip64 : {false, true}) {
      const std::string good = zip_of(sample(), compress, zip64);
      for (std::size_t size = 4; size < good.size(); size += 7)
        EXPECT_EQ(error_of([&] { read_all(read(folder.write("a.npz", good.substr(0, size)))); }).kind(),
                  ErrorKind::data)
            << size;
      // A changed byte is found, or makes no difference to the table.
      for (std::size_t at = 4; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x55);
        try {
          expect_rows(read_all(read(folder.write("a.npz", bad))).rows, {{1, 2, 7, 1}, {3, 4, 8, 0}, {5, 6, 9, 2}});
        } catch (const Error& error) {
          EXPECT_FALSE(error.hint().empty()) << error.what();
        }
      }
    }
}

}  // namespace
}  // namespace weft
