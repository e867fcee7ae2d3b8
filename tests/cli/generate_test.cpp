#include <weft/data.hpp>

#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class Generate : public WeftTest {};

TEST_F(Generate, WritesWhatBuiltinReads) {
  for (const std::string& name : generator_names()) {
    SCOPED_TRACE(name);
    const auto reader = read("builtin:" + name + ":rows=50,seed=3,noise=0.25").open();
    std::string header;
    for (const Column& column : reader->columns()) header += (header.empty() ? "" : ",") + column.name;
    std::vector<std::vector<double>> expected;
    for (RawBlock block; reader->next(block, 16);)
      for (Index i = 0; i < block.rows(); ++i) {
        expected.emplace_back();
        for (Index j = 0; j < block.columns.rows; ++j) expected.back().push_back(block.columns(j, i));
      }
    ASSERT_EQ(expected.size(), 50u);

    const Words command = {"generate", name, "--rows", "50", "--seed", "3", "--noise", "0.25"};
    const std::string csv = weft_out(command);
    EXPECT_EQ(csv.substr(0, csv.find('\n')), header);
    EXPECT_EQ(csv_numbers(csv), expected);
    Words npy = command;
    npy.insert(npy.end(), {"--out", "data.npy"});
    weft_out(npy);
    EXPECT_EQ(npy_numbers(text("data.npy")), expected);
    write("data.csv", csv);
    EXPECT_EQ(weft_out({"features", "data.csv", "--target", "target", "--features", "5"}),
              weft_out({"features", "builtin:" + name + ":rows=50,seed=3,noise=0.25", "--features", "5"}));
  }
}

}  // namespace

}  // namespace weft::testing
