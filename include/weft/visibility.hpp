// What the library exports. It is compiled with hidden symbols, and the public headers open the namespace as
// `namespace WEFT_PUBLIC weft {`: what they declare is visible to programs that link a shared library, and exceptions
// and polymorphic types are the same on both sides. Internals are in weft::detail, which no public header opens.
#pragma once

#define WEFT_PUBLIC [[gnu::visibility("default")]]
