#include "methods/portfolio/kernel_forms.hpp"

#include "core/at.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

enum class Columns { ranked, standardised, both };

constexpr Index kMostFull = 1000;  // columns of a full matrix of relevance

struct FormRow {
  const char* name;
  Kernel::Kind kind;
  double exponent;
  bool full;
  Columns columns;
};

constexpr FormRow kRows[] = {
    {"laplace", Kernel::Kind::laplace, 1, false, Columns::ranked},
    {"laplace-l2 of standardised inputs", Kernel::Kind::laplace_l2, 1, true, Columns::standardised},
    {"laplace of both scalings", Kernel::Kind::laplace, 1, false, Columns::both},
    {"laplace-l2", Kernel::Kind::laplace_l2, 1, true, Columns::ranked},
    {"laplace-l2 of standardised inputs, diagonal", Kernel::Kind::laplace_l2, 1, false, Columns::standardised},
    {"laplace, exponent 0.7", Kernel::Kind::laplace, 0.7, false, Columns::ranked},
    {"laplace-l2, exponent 1.4", Kernel::Kind::laplace_l2, 1.4, true, Columns::ranked},
    {"rbf of standardised inputs", Kernel::Kind::rbf, 1, false, Columns::standardised},
};
static_assert(std::size(kRows) == kForms);

bool sees(Columns columns, ColumnKind kind) {
  switch (kind) {
    case ColumnKind::bias:
      return false;
    case ColumnKind::ranked:
      return columns != Columns::standardised;
    case ColumnKind::standardised:
      return columns != Columns::ranked;
    case ColumnKind::number:
    case ColumnKind::effect:
    case ColumnKind::one_hot:
      break;
  }
  return true;
}

/// Where the encoder has one scaling alone, every form sees it.
Columns available(Columns wanted, std::span<const ColumnKind> kinds) {
  const auto has = [&](ColumnKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  return has(ColumnKind::ranked) && has(ColumnKind::standardised) ? wanted : Columns::both;
}

KernelForm make_form(const FormRow& row, std::span<const ColumnKind> kinds, const Matrix& x) {
  KernelForm form{row.name, row.kind, row.exponent, row.full, {}};
  const Columns columns = available(row.columns, kinds);
  for (Index j = 0; j < x.rows(); ++j) {
    const ColumnKind kind = kinds[at(j)];
    const double spread = sees(columns, kind) ? column_range(x, j) : 0;
    if (!(spread > 0)) continue;  // constant columns have no distances
    form.base.columns.push_back(j);
    form.base.factors.push_back(kind == ColumnKind::one_hot ? 1 / spread : 1);
  }
  if (static_cast<Index>(form.base.columns.size()) > kMostFull) form.full = false;
  return form;
}

bool same(const KernelForm& a, const KernelForm& b) {
  return a.kind == b.kind && a.exponent == b.exponent && a.full == b.full && a.base == b.base;
}

}  // namespace

std::vector<KernelForm> kernel_forms(std::span<const ColumnKind> kinds, const Matrix& x, bool thorough) {
  std::vector<KernelForm> forms;
  for (const FormRow& row : std::span(kRows).first(thorough ? kForms : kQuickForms)) {
    KernelForm form = make_form(row, kinds, x);
    if (form.base.columns.empty()) continue;
    if (std::none_of(forms.begin(), forms.end(), [&](const KernelForm& other) { return same(form, other); }))
      forms.push_back(std::move(form));
  }
  return forms;
}

std::optional<KernelForm> with_equal_ranges(KernelForm form, std::span<const ColumnKind> kinds, const Matrix& x) {
  std::vector<double> ranges;
  for (const Index j : form.base.columns) {
    if (kinds[at(j)] == ColumnKind::ranked) return std::nullopt;
    if (kinds[at(j)] == ColumnKind::standardised) ranges.push_back(column_range(x, j));
  }
  if (ranges.size() < 2) return std::nullopt;
  std::nth_element(ranges.begin(), ranges.begin() + static_cast<Index>(ranges.size() / 2), ranges.end());
  form.name += ", equal ranges";
  const double typical = ranges[ranges.size() / 2];  // keeps its weight against one-hot columns
  for (std::size_t k = 0; k < form.base.columns.size(); ++k)
    if (const Index j = form.base.columns[k]; kinds[at(j)] == ColumnKind::standardised)
      form.base.factors[k] *= typical / column_range(x, j);
  return form;
}

KernelForm with_one_hot_weight(KernelForm form, std::span<const ColumnKind> kinds, double weight) {
  for (std::size_t k = 0; k < form.base.columns.size(); ++k)
    if (kinds[at(form.base.columns[k])] == ColumnKind::one_hot) form.base.factors[k] *= weight;
  return form;
}

}  // namespace weft::detail
