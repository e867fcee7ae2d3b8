// Eigen's decompositions, which the tests take as the truth, compiled once: each costs its file seconds.
#pragma once

#include <Eigen/Core>

namespace weft::testing {

Eigen::MatrixXd solve(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);            ///< with complete pivoting
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);  ///< a positive semidefinite
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);  ///< argmin ‖ax − b‖, a of full rank
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);
/// Orthonormal columns with the span of those of a.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& a);
/// Of a symmetric matrix, from small to large.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& a);
Eigen::MatrixXd inverse_root(const Eigen::MatrixXd& a);  ///< a^(−1/2), a positive definite

}  // namespace weft::testing
