// Where the tests find files. Functions rather than macros: absolute paths on the compiler's command line would keep
// clones from sharing ccache's results.
#pragma once

#include <string>

namespace weft::testing {

std::string tests_folder();  ///< tests/ of the source tree
std::string shared_data();   ///< the data sets, which need not be there
std::string weft_command();  ///< the command as it was built
std::string emulated_gpu();  ///< libweft_cuda.so on a device that the host emulates, which need not be there

}  // namespace weft::testing
