#include "experiment.hpp"

#include <map>

namespace weft::papers {

std::vector<double> values_of(const std::vector<Cell>& cells, const Json& members, const char* value) {
  std::vector<double> values;
  for (const Cell& cell : cells) {
    bool same = cell.values.contains(value);
    for (const auto& [name, member] : members.items()) same = same && cell.key.at(name) == member;
    if (same) values.push_back(number_from_json(cell.values.at(value)));
  }
  return values;
}

std::string source_of(const std::string& paper, const std::string& what) {
  static const std::map<std::string, std::string> papers = {{"rkhs", "Anonymous 2026"},
                                                            {"elss", "Shahrampour & Kolouri 2019"},
                                                            {"rfm", "Wang 2019"},
                                                            {"jmlr", "Dubé & Marchand 2023"},
                                                            {"rflaf", "Ma et al. 2025"}};
  return papers.at(paper) + ", " + what;
}

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> all = {
      rkhs_tables(),
      rkhs_sota(),
      rkhs_figure_1(),
      rkhs_figure_2(),
      rkhs_figures_3_4(),
      rkhs_figures_5_6(),
      rkhs_figures_7_8(),
      rkhs_figures_9_10(),
      elss_figure_1(),
      elss_figure_2(),
      elss_figure_3(),
      elss_figure_4(),
      rfm_figure_1(),
      rfm_figure_2(),
      rfm_figure_3(),
      rfm_figure_4(),
      jmlr_figure_1(),
      jmlr_table_2(),
      jmlr_table_3(),
      rflaf_figures_1_3(),
      rflaf_figures_2_4(),
      rkhs_question_norm(),
      rkhs_question_limit(),
      rkhs_question_family(),
      rflaf_question_leverage(),
  };
  return all;
}

}  // namespace weft::papers
