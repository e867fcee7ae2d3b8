// Limits on what a process may map (ulimit -v, ulimit -d). Where one is set, a BLAS that cannot get memory for its
// buffers would wait for it for ever.
#pragma once

namespace weft::detail {

/// Bytes that may still be mapped; infinite where nothing limits them.
double address_space_left();

/// What OpenBLAS maps for each thread that calls it.
inline constexpr double kBytesPerThread = 136.0 * 1024 * 1024;

/// How many threads may compute: half of what was left at the first call is theirs. Without a limit, any number.
int threads_within_limits();

}  // namespace weft::detail
