// gzip as a file is written.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace weft::detail {

class GzipWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit GzipWriter(Sink sink);  ///< what receives the compressed bytes
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void write(std::string_view bytes);
  void finish();  ///< writes what is left and the checksum

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  Sink sink_;
};

}  // namespace weft::detail
