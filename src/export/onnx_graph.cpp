// Numbers of fields are those of onnx.proto (IR version 8).
#include "export/onnx_graph.hpp"

#include <weft/version.hpp>

#include <bit>
#include <cstdint>

namespace weft::detail {

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string field(int number, Index value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(static_cast<std::uint64_t>(value));
}

std::string field(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string little_endian_bytes(std::uint64_t bits) {
  std::string bytes;
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>(bits >> (8 * k) & 0xff);
  return bytes;
}

std::string attribute_bytes(const OnnxAttribute& attribute) {
  enum Type { kInt = 2, kString = 3, kInts = 7, kStrings = 8 };
  std::string bytes = field(1, attribute.name);
  if (const auto* whole = std::get_if<Index>(&attribute.value))
    return bytes + field(3, *whole) + field(20, Index{kInt});
  if (const auto* text = std::get_if<std::string>(&attribute.value))
    return bytes + field(4, *text) + field(20, Index{kString});
  if (const auto* wholes = std::get_if<std::vector<Index>>(&attribute.value)) {
    for (const Index value : *wholes) bytes += field(8, value);
    return bytes + field(20, Index{kInts});
  }
  for (const std::string& text : std::get<std::vector<std::string>>(attribute.value)) bytes += field(9, text);
  return bytes + field(20, Index{kStrings});
}

// A tensor of as many rows as there are.
std::string value_info(const std::string& name, OnnxType type, Index columns) {
  const std::string rows = field(1, field(2, "rows"));
  const std::string shape = rows + field(1, field(1, columns));
  const std::string tensor = field(1, static_cast<Index>(type)) + field(2, shape);
  return field(1, name) + field(2, field(1, tensor));
}

std::string opset(const std::string& domain, Index version) {
  return field(1, domain) + field(2, version);
}

}  // namespace

std::string OnnxGraph::input(const std::string& name, OnnxType type) {
  inputs_ += field(11, value_info(name, type, 1));
  return name;
}

void OnnxGraph::output(const std::string& name, const std::string& value, OnnxType type, Index columns) {
  add_node("Identity", {value}, {}, "", name);
  outputs_ += field(12, value_info(name, type, columns));
}

std::string OnnxGraph::add_node(const std::string& op, const Names& inputs,
                                const std::vector<OnnxAttribute>& attributes, const std::string& domain,
                                std::string output) {
  std::string bytes;
  for (const std::string& name : inputs) bytes += field(1, name);
  bytes += field(2, output);
  if (op == "TopK") bytes += field(2, fresh());  // the places of the numbers, which nobody uses
  bytes += field(3, output + " " + op) + field(4, op);
  for (const OnnxAttribute& attribute : attributes) bytes += field(5, attribute_bytes(attribute));
  if (!domain.empty()) bytes += field(7, domain);
  nodes_ += field(1, bytes);
  return output;
}

std::string OnnxGraph::node(const std::string& op, const Names& inputs, const std::vector<OnnxAttribute>& attributes) {
  return add_node(op, inputs, attributes, "", fresh());
}

std::string OnnxGraph::table_node(const std::string& op, const Names& inputs,
                                  const std::vector<OnnxAttribute>& attributes) {
  return add_node(op, inputs, attributes, "ai.onnx.ml", fresh());
}

std::string OnnxGraph::tensor(OnnxType type, const std::vector<Index>& shape, const std::string& raw) {
  std::string bytes;
  const std::string name = fresh();
  for (const Index size : shape) bytes += field(1, size);
  tensors_ += field(5, bytes + field(2, static_cast<Index>(type)) + field(8, name) + field(9, raw));
  return name;
}

std::string OnnxGraph::numbers(const std::vector<double>& values, const std::vector<Index>& shape) {
  std::string raw;
  for (const double value : values) raw += little_endian_bytes(std::bit_cast<std::uint64_t>(value));
  return tensor(OnnxType::float64, shape, raw);
}

std::string OnnxGraph::integers(const std::vector<Index>& values, const std::vector<Index>& shape) {
  std::string raw;
  for (const Index value : values) raw += little_endian_bytes(static_cast<std::uint64_t>(value));
  return tensor(OnnxType::int64, shape, raw);
}

std::string OnnxGraph::number(double value) {
  return numbers({value}, {});
}

std::string OnnxGraph::cast(const std::string& value, OnnxType to) {
  return node("Cast", {value}, {{"to", static_cast<Index>(to)}});
}

std::string OnnxGraph::in_single(const std::string& op, const std::string& value) {
  return cast(node(op, {cast(value, OnnxType::float32)}), OnnxType::float64);
}

std::string OnnxGraph::columns(const std::string& value, const std::vector<Index>& which) {
  return node("Gather", {value, integers(which, {static_cast<Index>(which.size())})}, {{"axis", Index{1}}});
}

std::string OnnxGraph::bytes(const std::string& name, const std::string& description) const {
  constexpr Index kIrVersion = 8, kOpset = 17, kTableOpset = 3;
  const std::string graph = nodes_ + field(2, name) + tensors_ + field(10, description) + inputs_ + outputs_;
  return field(1, kIrVersion) + field(2, "weft") + field(3, version()) + field(7, graph) + field(8, opset("", kOpset)) +
         field(8, opset("ai.onnx.ml", kTableOpset));
}

}  // namespace weft::detail
