#include "dense_algebra.hpp"

#include <Eigen/Dense>

namespace weft::testing {

Eigen::MatrixXd solve(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.fullPivLu().solve(b);
}

Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.ldlt().solve(b);
}

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.householderQr().solve(b);
}

Eigen::MatrixXd inverse(const Eigen::MatrixXd& a) {
  return solve(a, Eigen::MatrixXd::Identity(a.rows(), a.cols()));
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& a) {
  return a.householderQr().householderQ() * Eigen::MatrixXd::Identity(a.rows(), a.cols());
}

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::MatrixXd inverse_root(const Eigen::MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).operatorInverseSqrt();
}

}  // namespace weft::testing
