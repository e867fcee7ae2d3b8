// The processes that mpirun started this one with.
#pragma once

#include <weft/communicator.hpp>

#include <string>

namespace weft::cli {

/// Whether mpirun started this process, alone or with others.
bool under_mpirun();
/// Throws where the command would run once per process: those that share their work out do not. Processes other than
/// the first print nothing from here on, and each takes a GPU of its own.
void check_processes(const std::string& command);
/// Connects to the others at the first call. Throws where this weft has no MPI.
Communicator& processes();
/// Whether this is the process that writes files; the only one where there is no mpirun.
bool is_first_process();
/// Collective under mpirun: ends when the first process has come here too, and done what it does alone.
void wait_for_first_process();
/// Before a process ends with an error that others may have too: the lowest rank is the first to speak, and when it
/// ends, mpirun ends those that wait. That takes a second for those that do not end on request, and longer on a busy
/// machine.
void let_others_speak();
/// Prints one line about an error, from the first process that has one, and ends all of them. Returns, having printed
/// the line, where this process is alone; says nothing on processes that all have the same error before they connect.
void fail_together(const std::string& line, int exit_code);
/// Lets the others go before the program ends.
void disconnect();

}  // namespace weft::cli
