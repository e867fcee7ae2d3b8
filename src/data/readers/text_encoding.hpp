// Text files as UTF-8, whatever wrote them: spreadsheets still save Windows-1252 and UTF-16.
#pragma once

#include <weft/data.hpp>

#include "data/readers/byte_source.hpp"

#include <memory>
#include <string>

namespace weft::detail {

/// The encoding of a file, from its start where it is not given: automatic for UTF-8 and for what is no text. Throws
/// where Windows-1252 is wanted and the file is UTF-8.
TextEncoding find_encoding(ByteSource& source, TextEncoding wanted, const std::string& name);

/// The text as UTF-8; the source itself where it is that.
std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> source, TextEncoding encoding, const std::string& name);

}  // namespace weft::detail
