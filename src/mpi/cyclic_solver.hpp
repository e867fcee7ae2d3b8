// CyclicSolver by ScaLAPACK.
#pragma once

#include <weft/communicator.hpp>

#include <mpi.h>

#include <memory>

namespace weft {

/// Null where weft was built without ScaLAPACK.
std::unique_ptr<CyclicSolver> connect_cyclic_solver(MPI_Comm world);

}  // namespace weft
