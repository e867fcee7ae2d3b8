// Tables are written as their names say.
#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class TableFormats : public WeftTest {
 protected:
  TableFormats() {
    weft_out({"generate", "friedman1", "--rows", "3000", "--out", "rows.csv"});
    weft_out({"train", "rows.csv", "--target", "target", "--features", "10", "--model", "m.weft"});
    predictions_ = weft_out({"predict", "m.weft", "rows.csv"});
  }
  const std::string& predictions() const { return predictions_; }
  std::string unpacked(const std::string& name) const {
    EXPECT_EQ(shell("gzip -cd " + name + " > unpacked"), 0);
    return text("unpacked");
  }

 private:
  std::string predictions_;
};

TEST_F(TableFormats, NamesSayTheFormat) {
  const auto out = [&](const std::string& name) {
    weft_out({"generate", "friedman1", "--rows", "3000", "--out", name});
  };
  for (const char* name : {"a.tsv", "a.csv.gz", "a.tsv.gz", "a.npy", "a.npy.gz", "a.CSV", "plain"}) out(name);
  std::string tabs = text("rows.csv");
  std::replace(tabs.begin(), tabs.end(), ',', '\t');
  EXPECT_EQ(text("a.tsv"), tabs);
  EXPECT_EQ(unpacked("a.csv.gz"), text("rows.csv"));
  EXPECT_EQ(unpacked("a.tsv.gz"), tabs);
  EXPECT_EQ(npy_numbers(text("a.npy")), csv_numbers(text("rows.csv")));
  EXPECT_EQ(unpacked("a.npy.gz"), text("a.npy"));
  EXPECT_EQ(text("a.CSV"), text("rows.csv"));
  EXPECT_EQ(text("plain"), text("rows.csv"));
  for (const char* name : {"a.tsv", "a.csv.gz", "a.tsv.gz"})
    EXPECT_EQ(weft_out({"predict", "m.weft", name}), predictions()) << name;
}

TEST_F(TableFormats, ArchivesAndHalfPrecisionAreRead) {
  // By Python's own zip and struct: inputs in float16, which 0.125 and its multiples fit.
  write("make.py", R"(
import struct, zipfile
def npy(kind, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data
x = [[(7 * i + 3 * j) % 16 / 8 for j in range(3)] for i in range(200)]
y = [r[0] + 2 * r[1] for r in x]
half = npy('<f2', '(200, 3)', b''.join(struct.pack('<3e', *r) for r in x))
open('x.npy', 'wb').write(half)
with zipfile.ZipFile('xy.npz', 'w', zipfile.ZIP_DEFLATED) as z:
    z.writestr('x.npy', half)
    z.writestr('y.npy', npy('<f8', '(200,)', struct.pack('<200d', *y)))
with open('xy.csv', 'w') as f:
    f.write('x0,x1,x2,y\n' + ''.join('%r,%r,%r,%r\n' % (*r, t) for r, t in zip(x, y)))
)");
  if (shell("python3 make.py") != 0) GTEST_SKIP() << "there is no Python";
  const auto trained = [&](const std::string& data) {
    weft_out({"train", data, "--target", "y", "--features", "20", "--model", "h.weft"});
    return weft_out({"predict", "h.weft", "xy.csv"});
  };
  EXPECT_EQ(trained("xy.npz"), trained("xy.csv"));
  EXPECT_EQ(csv_numbers(weft_out({"predict", "h.weft", "x.npy"})),
            csv_numbers(weft_out({"predict", "h.weft", "xy.csv"})));
}

TEST_F(TableFormats, CellsWithTheDelimiterAreQuoted) {
  write("labels.csv", "a,kind\n1,\"x\ty\"\n2,\"p,q\"\n1,\"x\ty\"\n2,\"p,q\"\n");
  weft_out({"train", "labels.csv", "--target", "kind", "--features", "5", "--model", "k.weft"});
  weft_out({"predict", "k.weft", "labels.csv", "--out", "k.tsv"});
  weft_out({"predict", "k.weft", "labels.csv", "--out", "k.csv"});
  EXPECT_EQ(text("k.tsv"), "kind\n\"x\ty\"\np,q\n\"x\ty\"\np,q\n");
  EXPECT_EQ(text("k.csv"), "kind\nx\ty\n\"p,q\"\nx\ty\n\"p,q\"\n");
}

TEST_F(TableFormats, OtherExtensionsAreRefusedBeforeAnyWork) {
  for (const char* name : {"p.txt", "p.xlsx", "p.parquet", "p.csv.zip", "p.npz", "p.json", "p.txt.gz"}) {
    const Words words = {std::string(name) + ":", ".csv, .tsv, .npy, .csv.gz"};
    expect_refused({"predict", "m.weft", "none.csv", "--out", name}, words);
    expect_refused({"features", "none.csv", "--out", name}, words);
    expect_refused({"features", "none.csv", "--save-centres", name}, words);
    expect_refused({"kernel", "none.csv", "none.csv", "--out", name}, words);
    expect_refused({"leverage", "none.csv", "--out", name}, words);
    expect_refused({"generate", "moons", "--out", name}, words);
  }
}

}  // namespace

}  // namespace weft::testing
