#include "report/sections.hpp"

#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

ReportTable bounds_table(const Certificate& certificate) {
  ReportTable table{
      .caption = fmt::format("Bounds on the expected {} loss, delta {:g}; the best constant prediction has {:.4g}",
                             certificate.loss, certificate.delta, certificate.trivial_loss),
      .columns = {"theorem", "says", "norm", "constant", "bound", "worth", "assumes"}};
  for (const BoundLine& line : certificate.lines) {
    if (line.inapplicable) {
      table.rows.push_back({line.name, line.claim, line.radius, line.theta, "", "does not apply", *line.inapplicable});
      continue;
    }
    table.rows.push_back({line.name, line.claim, line.radius, line.theta,
                          std::isfinite(line.bound) ? number_cell(line.bound) : ReportCell("infinite"),
                          line.vacuous ? "vacuous" : "informative", line.assumes});
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

}  // namespace

ReportSection certificate_section(const Certificate& certificate) {
  ReportSection section{.heading = "Certificate"};
  section.paragraphs.push_back(verdict(certificate));
  for (const std::string& note : certificate.notes) section.paragraphs.push_back(note);
  section.tables.push_back(bounds_table(certificate));
  return section;
}

}  // namespace weft::detail
