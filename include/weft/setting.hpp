// The value of an option, and whether it was given: a value that equals the default may still have been given.
#pragma once

#include <weft/visibility.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace WEFT_PUBLIC weft {

/// Initialises a Setting that counts as not given.
template <class T>
struct DefaultValue {
  T value;
};

template <class T>
constexpr DefaultValue<T> default_value(T value) {
  return {std::move(value)};
}

/// Reads like a T. Initialising or assigning it from a T marks it as given; copies keep the state of the original.
template <class T>
class Setting {
 public:
  using value_type = T;

  template <class U>
  constexpr Setting(DefaultValue<U> preset) : value_(static_cast<T>(std::move(preset.value))) {}
  template <std::convertible_to<T> U>
  requires(!std::same_as<std::remove_cvref_t<U>, Setting>) constexpr Setting(U&& value)
      : value_(static_cast<T>(std::forward<U>(value))), given_(true) {}

  constexpr bool given() const { return given_; }
  constexpr operator const T&() const { return value_; }
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }

  friend constexpr bool operator==(const Setting& a, const Setting& b) { return a.value_ == b.value_; }
  template <class U>
  requires(!std::same_as<std::remove_cvref_t<U>, Setting>) friend constexpr bool operator==(const Setting& a,
                                                                                            const U& b) {
    return a.value_ == b;
  }

 private:
  T value_;
  bool given_ = false;
};

}  // namespace weft
