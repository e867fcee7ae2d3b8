#include "data/rows/fingerprint.hpp"

#include <utility>

#include "core/at.hpp"
#include "core/crc64.hpp"
#include "data/rows/forwarding_reader.hpp"

namespace weft::detail {

namespace {

void add_text(const std::string& text, Crc64& sum) {
  const std::uint64_t size = text.size();
  sum.add(&size, sizeof size);
  sum.add(text.data(), text.size());
}

class FingerprintReader final : public ForwardingReader {
 public:
  FingerprintReader(std::unique_ptr<RowReader> reader, std::shared_ptr<Fingerprint> into)
      : ForwardingReader(std::move(reader)), into_(std::move(into)), columns_(columns().size()) {}

  bool next(RawBlock& block, Index max_rows) override {
    if (!inner().next(block, max_rows)) {
      *into_ = {rows_, checksum()};
      return false;
    }
    for (Index c = 0; c < block.columns.rows; ++c)
      columns_[at(c)].add(block.columns.row(c), at(block.rows()) * sizeof(double));
    rows_ += block.rows();
    return true;
  }

 private:
  std::uint64_t checksum() const {
    Crc64 sum;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns()[c];
      add_text(column.name, sum);
      const std::uint64_t cells = columns_[c].value();
      sum.add(&cells, sizeof cells);
      if (column.text)
        for (const std::string& text : dictionary(static_cast<Index>(c))) add_text(text, sum);
    }
    return sum.value();
  }

  std::shared_ptr<Fingerprint> into_;
  std::vector<Crc64> columns_;  // of the cells of each
  Index rows_ = 0;
};

}  // namespace

Data fingerprinted(const Data& data, const std::vector<std::string>& texts, std::shared_ptr<Fingerprint> into) {
  return {data.name(), data.options(), [data, texts, into]() -> std::unique_ptr<RowReader> {
            auto reader = data.open();
            if (!texts.empty()) reader->read_as_text(texts);
            return std::make_unique<FingerprintReader>(std::move(reader), into);
          }};
}

Fingerprint fingerprint_of(const Data& data, const std::vector<std::string>& texts, const Run& run) {
  constexpr Index kRows = 4096;
  const auto found = std::make_shared<Fingerprint>();
  const auto reader = fingerprinted(data, texts, found).open();
  double rows = 0;
  for (RawBlock block; reader->next(block, kRows);) {
    run.check_cancelled();
    rows += static_cast<double>(block.rows());
    const double fraction = reader->fraction();
    run.report("reading", rows, fraction > 0 ? rows / fraction : 0);
  }
  return *found;
}

}  // namespace weft::detail
