// Pinocchio in C++: the linkages of linkage.py as a tree of hinges about z with its loops closed by
// points (CONTACT_3D), constraintDynamics and a semi-implicit step in one loop. Per size one line
// of JSON with the time of a step, and hinges and speeds of every SAMPLE-th state.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace pinocchio;

using Loops = std::vector<RigidConstraintModel, Eigen::aligned_allocator<RigidConstraintModel>>;
using LoopData = std::vector<RigidConstraintData, Eigen::aligned_allocator<RigidConstraintData>>;

static const int sample = 10, repeats = 5;

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static SE3 at(double x, double y) {
  return SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, y, 0));
}

struct Linkage {
  Model model;
  Loops loops;

  explicit Linkage(int count, double gravity, double moment) {
    const Eigen::Matrix3d moments = moment * Eigen::Matrix3d::Identity();
    const Inertia upright(1, {0, 0.5, 0}, moments), lying(1, {0.5, 0, 0}, moments);
    model.gravity.linear() << 0, -gravity, 0;
    std::vector<JointIndex> cranks, couplers;
    for (int i = 0; i <= count; i++) {
      const std::string name = std::to_string(i);
      cranks.push_back(model.addJoint(0, JointModelRZ(), at(i, 0), "crank" + name));
      model.appendBodyToJoint(cranks[i], upright, SE3::Identity());
      if (i == count) break;
      couplers.push_back(model.addJoint(cranks[i], JointModelRZ(), at(0, 1), "coupler" + name));
      model.appendBodyToJoint(couplers[i], lying, SE3::Identity());
    }
    for (int i = 0; i < count; i++) {
      loops.emplace_back(CONTACT_3D, model, couplers[i], at(1, 0), cranks[i + 1], at(0, 1), LOCAL);
      loops.back().baumgarte_corrector_parameters().Kp = 400;
      loops.back().baumgarte_corrector_parameters().Kd = 40;
    }
  }
};

static void print(const char *name, const std::vector<double> &values) {
  std::printf(", \"%s\": [", name);
  for (size_t k = 0; k < values.size(); k++) std::printf("%s%.15g", k ? ", " : "", values[k]);
  std::printf("]");
}

static void measure(int count, double step, int steps, double gravity, double moment) {
  const Linkage linkage(count, gravity, moment);
  const Model &model = linkage.model;
  Data data(model);
  LoopData loop_data;
  for (const auto &loop : linkage.loops) loop_data.emplace_back(loop);
  initConstraintDynamics(model, data, linkage.loops, loop_data);
  ProximalSettings settings(1e-10, 1e-10, 1e-8, 5);  // accuracies, mu, iterations

  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv);
  Eigen::VectorXd q, v;
  const auto start = [&] {
    q = neutral(model);
    v.resize(model.nv);
    for (int k = 0; k < model.nv; k++) v[k] = k % 2 ? 1 : -1;  // crank 0, coupler 0, crank 1, ...
  };
  const auto advance = [&] {
    v.noalias() += step
                   * constraintDynamics(
                       model, data, q, v, tau, linkage.loops, loop_data, settings);
    q.noalias() += step * v;  // hinges only: what `integrate` does
  };

  std::vector<double> hinges, speeds;
  start();
  for (int k = 1; k <= steps; k++) {
    advance();
    if (k % sample) continue;
    hinges.insert(hinges.end(), q.data(), q.data() + q.size());
    speeds.insert(speeds.end(), v.data(), v.data() + v.size());
  }
  double best = 1e9;
  for (int repeat = 0; repeat < repeats; repeat++) {
    start();
    const double begin = cpu();
    for (int k = 0; k < steps; k++) advance();
    best = std::min(best, cpu() - begin);
  }
  std::printf("{\"size\": %d, \"us_per_step\": %.6g", count, 1e6 * best / steps);
  print("hinges", hinges);
  print("speeds", speeds);
  std::printf("}\n");
  std::fflush(stdout);
}

// pinocchio_loops STEP STEPS GRAVITY MOMENT SIZE...
int main(int argc, char **argv) {
  for (int k = 5; k < argc; k++)
    measure(
        std::atoi(argv[k]), std::atof(argv[1]), std::atoi(argv[2]), std::atof(argv[3]),
        std::atof(argv[4]));
}
