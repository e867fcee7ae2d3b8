#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// What bounds assume, and why some do not apply: every sentence once, referred to by number.
class Notes {
 public:
  std::string number(const std::string& text) {
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    const std::ptrdiff_t number = found - texts_.begin() + 1;
    if (found == texts_.end()) texts_.push_back(text);
    return fmt::format("{}", number);
  }

  /// Of assumptions that are separated by semicolons: "1, 2, 4".
  std::string numbers(const std::string& assumptions) {
    std::string result;
    for (std::size_t first = 0; first < assumptions.size();) {
      const std::size_t end = std::min(assumptions.find("; ", first), assumptions.size());
      result += (result.empty() ? "" : ", ") + number(assumptions.substr(first, end - first));
      first = end + 2;
    }
    return result;
  }

  ReportTable table() const {
    ReportTable table{.caption = "Notes: what the bounds assume, and why some do not apply",
                      .columns = {"note", "text"}};
    for (std::size_t k = 0; k < texts_.size(); ++k)
      table.rows.push_back({count_cell(static_cast<Index>(k + 1)), texts_[k]});
    return table;
  }
  bool empty() const { return texts_.empty(); }

 private:
  std::vector<std::string> texts_;
};

ReportTable bounds_table(const Certificate& certificate, Notes& notes) {
  ReportTable table{
      .caption = fmt::format("Bounds on the expected {} loss, delta {:g}; the best constant prediction has {:.4g}",
                             certificate.loss, certificate.delta, certificate.trivial_loss),
      .columns = {"theorem", "says", "norm", "constant", "bound", "worth", "notes"}};
  for (const BoundLine& line : certificate.lines) {
    if (line.inapplicable) {
      table.rows.push_back(
          {line.name, line.claim, line.radius, line.theta, "", "does not apply", notes.number(*line.inapplicable)});
      continue;
    }
    table.rows.push_back({line.name, line.claim, line.radius, line.theta,
                          std::isfinite(line.bound) ? number_cell(line.bound) : ReportCell("infinite"),
                          line.vacuous ? "vacuous" : "informative", notes.numbers(line.assumes)});
  }
  return table;
}

std::string verdict(const Certificate& certificate) {
  if (!certificate.best) return "No theorem gives a bound on the risk of this model.";
  const BoundLine& best = certificate.lines[*certificate.best];
  std::string text = fmt::format(
      "With probability {:g} over the training rows, the expected {} loss is at most {:.4g} ({}); on the training rows "
      "it "
      "is {:.4g}.",
      1 - certificate.delta, certificate.loss, best.bound, best.name, certificate.train_loss);
  if (best.error) text += fmt::format(" The error is at most {:.4g}.", *best.error);
  if (best.vacuous)
    text += fmt::format(
        " The best constant prediction has {:.4g}, so this bound is vacuous; more rows or a smaller norm would tighten "
        "it.",
        certificate.trivial_loss);
  return text;
}

std::string held_out_verdict(const HeldOutBound& plain, double delta) {
  return fmt::format(
      "On {} rows that were predicted without them ({}) the {} is {:.4g}; with probability {:g} it is at most {:.4g} "
      "on "
      "new rows ({}), where the best constant prediction has {:.4g}. This assumes: {}.",
      plain.rows, name_of(plain.by), plain.loss, plain.measured, 1 - delta, plain.bound, plain.name, plain.constant,
      plain.assumes);
}

}  // namespace

ReportSection certificate_section(const Certificate& certificate) {
  ReportSection section{.heading = "Certificate"};
  if (certificate.held_out) section.paragraphs.push_back(held_out_verdict(*certificate.held_out, certificate.delta));
  if (!certificate.lines.empty()) section.paragraphs.push_back(verdict(certificate));
  for (const std::string& note : certificate.notes) section.paragraphs.push_back(note);
  if (certificate.lines.empty()) return section;
  Notes notes;
  section.tables.push_back(bounds_table(certificate, notes));
  if (!notes.empty()) section.tables.push_back(notes.table());
  return section;
}

}  // namespace weft::detail
