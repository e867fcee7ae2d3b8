#include "core/parallel.hpp"

namespace weft::detail {

namespace {
std::mutex serial_mutex;
int serial_users = 0;
void (*serial_change)(bool) = nullptr;
}  // namespace

SerialBlas::SerialBlas() {
  const std::lock_guard lock(serial_mutex);
  if (serial_users++ == 0 && serial_change != nullptr) serial_change(true);
}

SerialBlas::~SerialBlas() {
  const std::lock_guard lock(serial_mutex);
  if (--serial_users == 0 && serial_change != nullptr) serial_change(false);
}

void SerialBlas::on_change(void (*change)(bool serial)) {
  const std::lock_guard lock(serial_mutex);
  serial_change = change;
  if (serial_users > 0) serial_change(true);
}

}  // namespace weft::detail
