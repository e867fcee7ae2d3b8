// Communicator over MPI. A module of its own, loaded by the command under mpirun: libweft does not know MPI.
#include "mpi/cyclic_solver.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kTag = 1;
constexpr int kReadyTag = 2;
constexpr std::size_t kLong = 2048;                            // the receiver of a longer message says when it is ready
constexpr std::size_t kLargestMessage = std::size_t{1} << 30;  // counts of MPI are ints

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw std::runtime_error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// What a wait is for: another process, which may be computing, or bytes that are under way. Long messages are cut into
/// fragments, of which MPI moves a few per call of MPI_Test.
enum class For { peer, bytes };

/// MPI's own blocking calls spin, on cores that other processes compute on. A wait for a process that lasts sleeps in
/// between, a wait for bytes leaves the core to who wants it.
void wait(MPI_Request request, const char* call, For what = For::peer) {
  using namespace std::chrono_literals;
  constexpr int kSpins = 2000;
  int done = 0;
  for (long tries = 0;; ++tries) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
    if (done != 0) return;
    if (what == For::bytes)
      std::this_thread::yield();
    else if (tries > kSpins)
      std::this_thread::sleep_for(tries > 2 * kSpins ? 1ms : 50us);
  }
}

/// f(pointer, count) for the parts of a buffer that MPI can count.
template <class Bytes, class F>
void in_parts(Bytes* data, std::size_t size, const F& f) {
  for (std::size_t done = 0; done < size; done += kLargestMessage)
    f(data + done, static_cast<int>(std::min(kLargestMessage, size - done)));
}

class MpiCommunicator final : public weft::Communicator {
 public:
  MpiCommunicator() {
    int level = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(world_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(world_, &size_), "MPI_Comm_size");
  }
  ~MpiCommunicator() override {
    solver_.reset();
    MPI_Finalize();
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, const std::string& bytes) override {
    const std::uint64_t length = bytes.size();
    send_part(to, &length, sizeof length);
    char ready = 0;
    if (length > kLong) receive_part(to, &ready, 1, For::peer, kReadyTag);
    in_parts(bytes.data(), bytes.size(), [&](const char* data, int count) { send_part(to, data, count); });
  }

  std::string receive(int from) override {
    std::uint64_t length = 0;
    receive_part(from, &length, sizeof length, For::peer);
    std::string bytes(length, '\0');
    const char ready = 1;
    if (length > kLong) send_part(from, &ready, 1, kReadyTag);
    in_parts(bytes.data(), bytes.size(), [&](char* data, int count) { receive_part(from, data, count, For::bytes); });
    return bytes;
  }

  void broadcast(std::string& bytes, int from) override {
    std::uint64_t length = bytes.size();
    broadcast_part(from, &length, sizeof length, For::peer);
    bytes.resize(length);
    in_parts(bytes.data(), bytes.size(), [&](char* data, int count) { broadcast_part(from, data, count, For::bytes); });
  }

  std::vector<std::string> all_gather(const std::string& bytes) override {
    std::vector<std::string> all(static_cast<std::size_t>(size_));
    all[static_cast<std::size_t>(rank_)] = bytes;
    for (int from = 0; from < size_; ++from) broadcast(all[static_cast<std::size_t>(from)], from);
    return all;
  }

  void add_up(double* values, std::size_t count) override {
    constexpr std::size_t kMost = kLargestMessage / sizeof(double);
    for (std::size_t done = 0; done < count; done += kMost) {
      MPI_Request request{};
      check(MPI_Iallreduce(MPI_IN_PLACE, values + done, static_cast<int>(std::min(kMost, count - done)), MPI_DOUBLE,
                           MPI_SUM, world_, &request),
            "MPI_Iallreduce");
      wait(request, "MPI_Iallreduce");
    }
  }

  weft::CyclicSolver* solver() override {
    if (!solver_) solver_ = weft::connect_cyclic_solver(world_);
    return solver_.get();
  }

  void abort(int exit_code) override {
    MPI_Abort(world_, exit_code);
    std::_Exit(exit_code);
  }

 private:
  /// The receiver waits for it, or a few bytes do not wait for the receiver.
  void send_part(int to, const void* data, int count, int tag = kTag) {
    MPI_Request request{};
    check(MPI_Isend(data, count, MPI_BYTE, to, tag, world_, &request), "MPI_Isend");
    wait(request, "MPI_Isend", For::bytes);
  }
  void receive_part(int from, void* data, int count, For what, int tag = kTag) {
    MPI_Request request{};
    check(MPI_Irecv(data, count, MPI_BYTE, from, tag, world_, &request), "MPI_Irecv");
    wait(request, "MPI_Irecv", what);
  }
  void broadcast_part(int from, void* data, int count, For what) {
    MPI_Request request{};
    check(MPI_Ibcast(data, count, MPI_BYTE, from, world_, &request), "MPI_Ibcast");
    wait(request, "MPI_Ibcast", what);
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::unique_ptr<weft::CyclicSolver> solver_;
};

}  // namespace

/// Belongs to the caller.
extern "C" WEFT_PUBLIC weft::Communicator* weft_mpi_communicator() {
  return new MpiCommunicator;  // NOLINT(cppcoreguidelines-owning-memory)
}
