// Model files for tests: saved, damaged, and changed on purpose with a checksum that is right again.
#pragma once

#include <weft/model.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "core/crc64.hpp"
#include "core/json_text.hpp"
#include "data/expect_error.hpp"
#include "model/sample_models.hpp"

namespace weft::testing {

class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::temp_directory_path() / (std::string("weft-") + test->name() + ".weft")).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  void put_byte(std::size_t offset, char byte) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(byte);
  }

  // A changed bit in any byte, or a lost end of any length. The file is empty afterwards.
  void expect_no_damage_overlooked() const {
    const std::string good = bytes();
    for (std::size_t i = 0; i < good.size(); ++i) {
      put_byte(i, static_cast<char>(good[i] ^ (1 << (i % 8))));
      expect_error([&] { Model::load(path_); }, ErrorKind::model, {path_ + ": "});
      put_byte(i, good[i]);
    }
    EXPECT_EQ(bytes(), good);
    for (std::size_t length = good.size(); length-- > 0;) {
      std::filesystem::resize_file(path_, length);
      expect_error([&] { Model::load(path_); }, ErrorKind::model, {path_ + ": "});
    }
  }

  // Predictions, targets and standard deviations of the saved and of the loaded model, bit for bit.
  void expect_round_trip(const ModelParts& parts, const std::string& target) const {
    const Model model(parts);
    model.save(path_);
    const Model loaded = Model::load(path_);
    const Data data = sample_data(500, target, "w");
    const PredictOptions options{.with_targets = true, .with_std = parts.variance_factor.rows() > 0};
    EXPECT_TRUE(predict_all(model, data, options) == predict_all(loaded, data, options));
    if (parts.members.empty()) {
      EXPECT_EQ(model.rkhs_norms(), loaded.rkhs_norms());
    }
    EXPECT_EQ(loaded.target().names, model.target().names);
    EXPECT_EQ(loaded.target().classes, model.target().classes);
  }

  std::string path_;
};

// A header changed on purpose, with a checksum that is right again.
class ForgedModelFile : public ModelFile {
 protected:
  void save(const ModelParts& parts) {
    Model(parts).save(path_);
    take_apart();
  }

  void take_apart() {
    const std::string good = bytes();
    std::uint64_t length = 0;
    std::memcpy(&length, good.data() + 12, 8);
    header_ = Json::parse(good.substr(20, length));
    blocks_ = good.substr((20 + length + 63) / 64 * 64);
    blocks_.resize(blocks_.size() - 8);
  }

  void forge(const std::string& header, std::uint64_t length) {
    std::string file("WEFT\r\n\x1a\n\x03\0\0\0", 12);
    file.append(reinterpret_cast<const char*>(&length), 8);
    file += header;
    file.resize((file.size() + 63) / 64 * 64);
    file += blocks_;
    Crc64 crc;
    crc.add(file.data(), file.size());
    const std::uint64_t sum = crc.value();
    file.append(reinterpret_cast<const char*>(&sum), 8);
    put(file);
  }
  void forge(const std::function<void(Json&)>& change) {
    Json header = header_;
    change(header);
    const std::string text = header.dump();
    forge(text, text.size());
  }
  void expect_refused(const std::function<void(Json&)>& change, const std::string& word = "") {
    forge(change);
    expect_error([&] { Model::load(path_); }, ErrorKind::model, {path_ + ": ", word});
  }

  // Every leaf of the header, or of a part of it, changed to something else: the model loads and predicts, or throws an
  // Error.
  void expect_every_leaf_handled(const std::string& part = "") {
    const Json flat = header_.flatten();
    for (const auto& [key, value] : flat.items()) {
      if (key.rfind(part, 0) != 0) continue;
      for (const Json& other : {Json(nullptr), Json(-1), Json(1e308), Json("text"), Json::array(), Json::object()}) {
        forge([&, pointer = key](Json& h) { h[Json::json_pointer(pointer)] = other; });
        try {
          predict_all(Model::load(path_), sample_data(3, ""));
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()), "") << key;
        }
      }
    }
  }

  /// A block of the file that save() wrote, with another number at one place.
  template <class T>
  void set_number(const std::string& block, std::size_t place, T number) {
    for (const Json& entry : header_["blocks"])
      if (entry["name"] == block) {
        ASSERT_EQ(entry["type"].get<std::string>().back() - '0', static_cast<int>(sizeof number)) << block;
        const auto offset = entry["offset"].get<std::size_t>() + place * sizeof number;
        ASSERT_LE(offset + sizeof number, blocks_.size());
        std::memcpy(blocks_.data() + offset, &number, sizeof number);
        return;
      }
    ADD_FAILURE() << "there is no block " << block;
  }
  template <class T>
  void expect_refused(const std::string& block, std::size_t place, T number, const std::string& word) {
    const std::string good = blocks_;
    set_number(block, place, number);
    expect_refused([](Json&) {}, word);
    blocks_ = good;
  }

  Json header_;
  std::string blocks_;
};

}  // namespace weft::testing
