// Pinocchio in C++: the trees of trees.py, ABA and a semi-implicit step in one loop; one line of
// JSON per scene and convention. The work space of a thousand links does not fit into memory.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>

using namespace pinocchio;

static const double step = 1e-5;  // [s]

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static Inertia inertia(double mass, Eigen::Vector3d center, Eigen::Vector3d moments) {
  return Inertia(mass, center, moments.asDiagonal().toDenseMatrix());
}

static Model build(int links, int limb) {
  Model model;
  model.gravity.linear() << 0, 0, -9.81;
  JointIndex base = 0;
  if (limb) {
    base = model.addJoint(0, JointModelFreeFlyer(), SE3::Identity(), "base");
    model.appendBodyToJoint(
        base, inertia(10, {0, 0, 0}, {0.13, 0.29, 0.34}), SE3::Identity());
  }
  JointIndex last = base;
  for (int i = 0; i < links; i++) {
    const bool begins = limb && i % limb == 0;
    SE3 place = SE3::Identity();
    place.translation() << (begins ? 0.1 * (i / limb) : 0), 0, (begins || i ? 0.3 : 0);
    const JointIndex parent = begins ? base : last;
    const std::string name = "hinge" + std::to_string(i);
    if (i % 3 == 0) last = model.addJoint(parent, JointModelRZ(), place, name);
    if (i % 3 == 1) last = model.addJoint(parent, JointModelRY(), place, name);
    if (i % 3 == 2) last = model.addJoint(parent, JointModelRX(), place, name);
    model.appendBodyToJoint(
        last, inertia(1, {0, 0.01, 0.15}, {0.02, 0.02, 0.005}), SE3::Identity());
  }
  return model;
}

static void measure(const char *name, int links, int limb, int steps, Convention convention) {
  const Model model = build(links, limb);
  Data data(model);
  Eigen::VectorXd start = neutral(model), tau = Eigen::VectorXd::Zero(model.nv);
  for (int i = 0; i < links; i++) start[(limb ? 7 : 0) + i] = 0.4 * std::sin(1.0 + 3.0 * i);
  double whole = 1e9, alone = 1e9;
  Eigen::VectorXd q, v, next(model.nq), way(model.nv);
  for (int repeat = 0; repeat < 5; repeat++) {
    q = start;
    v = Eigen::VectorXd::Zero(model.nv);
    double begin = cpu();
    for (int k = 0; k < steps; k++) {
      v.noalias() += step * aba(model, data, q, v, tau, convention);
      way = step * v;
      integrate(model, q, way, next);
      q.swap(next);
    }
    whole = std::min(whole, cpu() - begin);
    begin = cpu();
    for (int k = 0; k < steps; k++) aba(model, data, q, v, tau, convention);
    alone = std::min(alone, cpu() - begin);
  }
  const char *how = convention == Convention::WORLD ? "world" : "local";
  std::printf(
      "{\"scene\": \"%s\", \"size\": %d, \"variant\": \"C++, %s axes\", \"us_per_step\": %.6g, "
      "\"note\": \"ABA alone %.3g us\"}\n",
      name, links, how, 1e6 * whole / steps, 1e6 * alone / steps);
  std::fflush(stdout);
}

int main() {
  for (Convention convention : {Convention::LOCAL, Convention::WORLD}) {
    measure("arm", 7, 0, 20000, convention);
    measure("floating", 24, 6, 8000, convention);
    measure("chain", 100, 0, 3000, convention);
  }
}
