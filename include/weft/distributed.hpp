// One job of several processes: every process calls the same functions, which share the work out and give all of them
// the result. docs/distributed.md has what is guaranteed.
#pragma once

#include <weft/communicator.hpp>
#include <weft/fit.hpp>
#include <weft/predicted_table.hpp>
#include <weft/tune.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// A table whose files every process can read; each reads its share.
class SharedTable {
 public:
  /// Collective: the rows are counted, each file by one process. `files` are tables with the same columns; the
  /// communicator must outlive the table.
  SharedTable(std::vector<Data> files, std::string name, Communicator& processes, const Run& run = {});

  Communicator& processes() const { return *processes_; }
  Index rows() const { return first_rows_.back(); }
  const std::vector<Data>& files() const { return files_; }
  /// Number of the first row of every file, then that of all rows.
  const std::vector<Index>& first_rows() const { return first_rows_; }
  /// All rows, or some; files without any of them are not opened.
  const Data& all() const { return all_; }
  Data rows(Index begin, Index end) const;
  /// The files from … to-1 that this process counts, and gathers the statistics of.
  std::pair<std::size_t, std::size_t> own_files() const;

 private:
  std::vector<Data> files_;
  Communicator* processes_;
  std::vector<Index> first_rows_;
  Data all_;
};

/// Throws, before anything is read, where a fit by these options cannot be shared out.
void check_shared_fit(const FitRequest& request);
/// Whether processes share the work of such a fit out, which needs all rows, and not the rows.
bool shares_work(const FitOptions& options);

/// fit(request) with the rows of the table, which stand for request.train. The encoder's statistics are merged file by
/// file, sums over rows in pieces of rows, both in fixed trees: the model has the same bits for any number of
/// processes.
Model fit(const FitRequest& request, const SharedTable& table);

/// The same where the work is shared out: every process reads all rows. The model has the bits of fit(request).
Model fit(const FitRequest& request, Communicator& processes);

/// tune(request), with the configurations shared out: every process reads all rows. The result has the scores of one
/// process; what is found of the winner beyond its score is known to rank 0 alone, which also keeps the log.
TuneResult tune(const TuneRequest& request, Communicator& processes);

/// Predictions of the table, a share of the rows by every process. Rank 0 consumes them block by block in the order of
/// the rows, as Model::for_each_prediction would; the others hold theirs until it is their turn. `keep` as for
/// CarriedColumns.
void for_each_prediction(const Model& model, const SharedTable& table, const PredictOptions& options,
                         const std::string& keep,
                         const std::function<void(const PredictionBlock&, const CarriedCells&)>& consume,
                         const Run& run = {});

/// evaluate(model, table.all(), options, run) on rank 0; the result of the others is empty.
Evaluation evaluate(const Model& model, const SharedTable& table, const PredictOptions& options = {},
                    const Run& run = {});

}  // namespace weft
