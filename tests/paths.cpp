#include "paths.hpp"

namespace weft::testing {

std::string tests_folder() {
  return WEFT_TESTS;
}

std::string shared_data() {
  return WEFT_SHARED_DATA;
}

std::string weft_command() {
  return WEFT_COMMAND;
}

std::string emulated_gpu() {
  return WEFT_EMULATED_GPU;
}

}  // namespace weft::testing
