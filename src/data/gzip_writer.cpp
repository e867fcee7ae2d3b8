#include "data/gzip_writer.hpp"

#include <algorithm>
#include <new>
#include <string>

#include <zlib.h>

namespace weft::detail {

struct GzipWriter::Stream {
  z_stream zlib = {};
  std::string packed = std::string(std::size_t{1} << 16, '\0');

  // Until all input is taken, and with Z_FINISH until all output is given.
  void run(std::string_view bytes, int flush, const Sink& sink) {
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write there
    zlib.avail_in = static_cast<uInt>(bytes.size());
    do {
      zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
      zlib.avail_out = static_cast<uInt>(packed.size());
      deflate(&zlib, flush);
      sink(std::string_view(packed).substr(0, packed.size() - zlib.avail_out));
    } while (zlib.avail_out == 0);
  }
};

GzipWriter::GzipWriter(Sink sink) : stream_(std::make_unique<Stream>()), sink_(std::move(sink)) {
  // 16: gzip wrapper.
  if (deflateInit2(&stream_->zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
}

GzipWriter::~GzipWriter() {
  deflateEnd(&stream_->zlib);
}

void GzipWriter::write(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 30;  // zlib counts in 32 bits
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size())))
    stream_->run(bytes.substr(0, kPiece), Z_NO_FLUSH, sink_);
}

void GzipWriter::finish() {
  stream_->run({}, Z_FINISH, sink_);
}

}  // namespace weft::detail
