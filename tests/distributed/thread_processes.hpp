// Processes of one job as threads of the test: each has a Communicator whose messages go through queues.
#pragma once

#include <weft/communicator.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace weft::testing {

class Mailboxes {
 public:
  explicit Mailboxes(int size) : size_(size), boxes_(static_cast<std::size_t>(size * size)) {}
  int size() const { return size_; }
  void put(int from, int to, std::string bytes) {
    const std::lock_guard lock(mutex_);
    box(from, to).push_back(std::move(bytes));
    arrived_.notify_all();
  }
  std::string take(int from, int to) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !box(from, to).empty(); });
    std::string bytes = std::move(box(from, to).front());
    box(from, to).pop_front();
    return bytes;
  }

 private:
  std::deque<std::string>& box(int from, int to) { return boxes_[static_cast<std::size_t>(from * size_ + to)]; }
  int size_;
  std::vector<std::deque<std::string>> boxes_;
  std::mutex mutex_;
  std::condition_variable arrived_;
};

class ThreadProcess final : public Communicator {
 public:
  ThreadProcess(Mailboxes& boxes, int rank) : boxes_(boxes), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return boxes_.size(); }
  void send(int to, const std::string& bytes) override { boxes_.put(rank_, to, bytes); }
  std::string receive(int from) override { return boxes_.take(from, rank_); }
  void broadcast(std::string& bytes, int from) override {
    for (int to = 0; rank_ == from && to < size(); ++to)
      if (to != from) send(to, bytes);
    if (rank_ != from) bytes = receive(from);
  }
  std::vector<std::string> all_gather(const std::string& bytes) override {
    std::vector<std::string> all(static_cast<std::size_t>(size()), bytes);
    for (int from = 0; from < size(); ++from) broadcast(all[static_cast<std::size_t>(from)], from);
    return all;
  }
  void add_up(double* values, std::size_t count) override {
    const std::string own(reinterpret_cast<const char*>(values), count * sizeof(double));
    std::fill_n(values, count, 0.0);
    for (const std::string& bytes : all_gather(own))
      for (std::size_t i = 0; i < count; ++i) {
        double term = 0;
        std::memcpy(&term, bytes.data() + i * sizeof(double), sizeof term);
        values[i] += term;
      }
  }
  void abort(int) override { throw std::runtime_error("aborted"); }
  CyclicSolver* solver() override { return solver_; }
  /// Belongs to the caller; null: none.
  void set_solver(CyclicSolver* solver) { solver_ = solver; }

 private:
  Mailboxes& boxes_;
  int rank_;
  CyclicSolver* solver_ = nullptr;
};

/// Runs job(process) once per process; what the first one returns.
template <class Job>
auto on_processes(int size, const Job& job) {
  Mailboxes boxes(size);
  std::vector<std::thread> others;
  for (int rank = 1; rank < size; ++rank)
    others.emplace_back([&, rank] {
      ThreadProcess process(boxes, rank);
      static_cast<void>(job(process));
    });
  ThreadProcess first(boxes, 0);
  auto result = job(first);
  for (std::thread& other : others) other.join();
  return result;
}

}  // namespace weft::testing
