// Matrix products of the rocBLAS stand-in against sums in double, on streams and in graphs.
#include "rocblas_abi.h"

#include "check.h"
#include "../../rtc/prelude/small_float.h"

#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

namespace {

using millrace::BFloat16;
using millrace::Half;

constexpr auto f32 = rocblas_datatype_f32_r, f16 = rocblas_datatype_f16_r,
               bf16 = rocblas_datatype_bf16_r;
constexpr auto none = rocblas_operation_none, transposed = rocblas_operation_transpose;

class Handle {
public:
  Handle() {
    CHECK_EQUAL(rocblas_create_handle(&handle), rocblas_status_success);
    stream = newStream();
    CHECK_EQUAL(rocblas_set_stream(handle, stream), rocblas_status_success);
  }
  ~Handle() {
    (void)rocblas_destroy_handle(handle);
    (void)hipStreamDestroy(stream);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  rocblas_handle handle = nullptr;
  hipStream_t stream = nullptr;
};

/** Device memory of one element type, written and read as float. */
class Values {
public:
  Values(rocblas_datatype type, size_t count) : type(type), count(count) {
    OK(hipMalloc(&data, count * size()));
  }
  ~Values() { (void)hipFree(data); }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  size_t size() const { return type == f32 ? 4 : 2; }

  void set(size_t i, float value) {
    if (type == f32) static_cast<float*>(data)[i] = value;
    else static_cast<unsigned short*>(data)[i] = type == f16 ? Half::fromFloat(value) : BFloat16::fromFloat(value);
  }
  float get(size_t i) const {
    if (type == f32) return static_cast<const float*>(data)[i];
    unsigned short bits = static_cast<const unsigned short*>(data)[i];
    return type == f16 ? Half::toFloat(bits) : BFloat16::toFloat(bits);
  }
  void fillRandomly(std::mt19937& random) {
    std::uniform_real_distribution<float> values(-1, 1);
    for (size_t i = 0; i < count; ++i) set(i, values(random));
  }

  void* data = nullptr;
  rocblas_datatype type;
  size_t count;
};

/** One product, with more room between its columns and matrices than it needs. */
struct Case {
  rocblas_operation transA, transB;
  int m, n, k, batches;
  rocblas_datatype in, out;
  float alpha, beta;

  int lda() const { return (transA == none ? m : k) + 3; }
  int ldb() const { return (transB == none ? k : n) + 1; }
  int ldc() const { return m + 2; }
  int ldd() const { return m + 5; }
  int strideA() const { return lda() * (transA == none ? k : m) + 7; }
  int strideB() const { return ldb() * (transB == none ? n : k) + 4; }
  int strideC() const { return ldc() * n + 1; }
  int strideD() const { return ldd() * n + 2; }
};

struct Operands {
  explicit Operands(const Case& c)
      : a(c.in, size_t(c.strideA()) * c.batches), b(c.in, size_t(c.strideB()) * c.batches),
        c(c.out, size_t(c.strideC()) * c.batches), d(c.out, size_t(c.strideD()) * c.batches) {}
  Values a, b, c, d;
};

void enqueue(const Handle& handle, const Case& c, Operands& o) {
  CHECK_EQUAL(rocblas_gemm_strided_batched_ex(
                  handle.handle, c.transA, c.transB, c.m, c.n, c.k, &c.alpha, o.a.data, c.in,
                  c.lda(), c.strideA(), o.b.data, c.in, c.ldb(), c.strideB(), &c.beta, o.c.data,
                  c.out, c.ldc(), c.strideC(), o.d.data, c.out, c.ldd(), c.strideD(), c.batches, f32,
                  rocblas_gemm_algo_standard, 0, 0),
              rocblas_status_success);
}

double unitOf(rocblas_datatype type) {
  return type == f32 ? std::ldexp(1, -24) : type == f16 ? std::ldexp(1, -11) : std::ldexp(1, -8);
}

void checkElement(const Case& c, const Operands& o, int batch, int i, int j) {
  double sum = 0, magnitude = 0;
  for (int l = 0; l < c.k; ++l) {
    size_t atA = c.transA == none ? i + size_t(l) * c.lda() : l + size_t(i) * c.lda();
    size_t atB = c.transB == none ? l + size_t(j) * c.ldb() : j + size_t(l) * c.ldb();
    double term = double(o.a.get(size_t(batch) * c.strideA() + atA)) * o.b.get(size_t(batch) * c.strideB() + atB);
    sum += term, magnitude += std::fabs(term);
  }
  double old = c.beta == 0 ? 0 : c.beta * o.c.get(size_t(batch) * c.strideC() + i + size_t(j) * c.ldc());
  double expected = (c.alpha == 0 ? 0 : c.alpha * sum) + old; // 0 times NaN is 0 here
  double actual = o.d.get(size_t(batch) * c.strideD() + i + size_t(j) * c.ldd());
  // The error of a float sum of k products, and one rounding to the result's type.
  double terms = (c.alpha == 0 ? 0 : std::fabs(c.alpha) * magnitude) + std::fabs(old);
  double allowed = (c.k + 3) * unitOf(f32) * terms + unitOf(c.out) * std::fabs(expected) + 1e-7;
  if (!(std::fabs(actual - expected) <= allowed)) {
    std::ostringstream content;
    content << "d(" << i << "," << j << ") of batch " << batch << " is " << actual << ", not " << expected;
    throw Failure{content.str()};
  }
}

void check(const Case& c, const Operands& o) {
  for (int batch = 0; batch < c.batches; ++batch)
    for (int j = 0; j < c.n; ++j)
      for (int i = 0; i < c.m; ++i) checkElement(c, o, batch, i, j);
}

void fillAll(Operands& o, unsigned seed) {
  std::mt19937 random(seed);
  for (Values* values : {&o.a, &o.b, &o.c, &o.d}) values->fillRandomly(random);
}

rocblas_status plain(rocblas_handle handle, int m, int n, int k, int lda, int ldb, int ldc, int ldd,
                     rocblas_operation transA = none, rocblas_datatype type = f32,
                     rocblas_datatype compute = f32, const void* data = reinterpret_cast<void*>(64)) {
  float one = 1;
  return rocblas_gemm_ex(handle, transA, none, m, n, k, &one, data, type, lda, data, type, ldb, &one,
                         data, type, ldc, const_cast<void*>(data), type, ldd, compute,
                         rocblas_gemm_algo_standard, 0, 0);
}

} // namespace

TEST(productsAreRightForEveryTypeAndTranspose) {
  Handle handle;
  unsigned seed = 1;
  std::pair<rocblas_datatype, rocblas_datatype> types[] = {{f32, f32}, {f16, f16}, {bf16, bf16}, {f16, f32}, {bf16, f32}};
  for (auto [in, out] : types)
    for (auto transA : {none, transposed, rocblas_operation_conjugate_transpose})
      for (auto transB : {none, transposed}) {
        Case c{transA, transB, 17, 9, 23, 3, in, out, 0.75f, -1.25f};
        Operands o(c);
        fillAll(o, seed++);
        enqueue(handle, c, o);
        OK(hipStreamSynchronize(handle.stream));
        check(c, o);
      }
}

TEST(nothingIsReadThatIsMultipliedByZero) {
  Handle handle;
  Case c{none, none, 5, 4, 3, 1, f32, f32, 0, 0};
  Operands o(c);
  for (Values* values : {&o.a, &o.b, &o.c, &o.d})
    for (size_t i = 0; i < values->count; ++i) values->set(i, NAN);
  enqueue(handle, c, o);
  OK(hipStreamSynchronize(handle.stream));
  check(c, o);
}

TEST(theResultMayReplaceC) {
  Handle handle;
  float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, alpha = 1, beta = 10;
  float* c;
  OK(hipMalloc(reinterpret_cast<void**>(&c), sizeof a));
  for (int i = 0; i < 4; ++i) c[i] = float(i);
  CHECK_EQUAL(rocblas_gemm_ex(handle.handle, none, none, 2, 2, 2, &alpha, a, f32, 2, b, f32, 2, &beta, c, f32, 2, c,
                              f32, 2, f32, rocblas_gemm_algo_standard, 0, 0),
              rocblas_status_success);
  OK(hipStreamSynchronize(handle.stream));
  CHECK(c[0] == 23 && c[1] == 44 && c[2] == 51 && c[3] == 76);
  OK(hipFree(c));
}

TEST(aWorkspaceTooSmallOnlyCostsTime) {
  Handle handle;
  Case c{none, transposed, 31, 12, 8, 2, f16, f32, 1, 1};
  for (size_t bytes : {size_t(0), size_t(4 * 31 * 2), size_t(4 * 31 * 6)}) {
    void* workspace;
    OK(hipMalloc(&workspace, bytes + 1));
    CHECK_EQUAL(rocblas_set_workspace(handle.handle, workspace, bytes), rocblas_status_success);
    Operands o(c);
    fillAll(o, 7);
    enqueue(handle, c, o);
    OK(hipStreamSynchronize(handle.stream));
    check(c, o);
    CHECK_EQUAL(rocblas_set_workspace(handle.handle, nullptr, 0), rocblas_status_success);
    OK(hipFree(workspace));
  }
}

TEST(sumsLieInTheHandlesWorkspace) {
  Handle handle;
  Case c{none, none, 4, 4, 4, 1, f32, f32, 1, 0};
  float* workspace;
  OK(hipMalloc(reinterpret_cast<void**>(&workspace), 4096));
  std::memset(workspace, 0, 4096);
  CHECK_EQUAL(rocblas_set_workspace(handle.handle, workspace, 4096), rocblas_status_success);
  Operands o(c);
  fillAll(o, 11);
  enqueue(handle, c, o);
  OK(hipStreamSynchronize(handle.stream));
  for (int i = 0; i < 16; ++i) CHECK(workspace[4 + i] == o.d.get(i % 4 + size_t(i / 4) * c.ldd()));
  CHECK_EQUAL(rocblas_set_workspace(handle.handle, nullptr, 0), rocblas_status_success);
  OK(hipFree(workspace));
}

TEST(scalarsOnTheDeviceAreReadWhenTheProductRuns) {
  Handle handle;
  Case c{none, none, 6, 5, 4, 1, f32, f32, 2, 3};
  Operands o(c);
  fillAll(o, 3);
  float* scalars;
  OK(hipMalloc(reinterpret_cast<void**>(&scalars), 8));
  CHECK_EQUAL(rocblas_set_pointer_mode(handle.handle, rocblas_pointer_mode_device), rocblas_status_success);
  Gate gate;
  gate.holdOn(handle.stream);
  CHECK_EQUAL(rocblas_gemm_ex(handle.handle, none, none, c.m, c.n, c.k, scalars, o.a.data, f32, c.lda(), o.b.data,
                              f32, c.ldb(), scalars + 1, o.c.data, f32, c.ldc(), o.d.data, f32, c.ldd(), f32,
                              rocblas_gemm_algo_standard, 0, 0),
              rocblas_status_success);
  scalars[0] = c.alpha, scalars[1] = c.beta;
  gate.open();
  OK(hipStreamSynchronize(handle.stream));
  check(c, o);
  OK(hipFree(scalars));
}

TEST(aProductIsOneKernelNodeOfAGraph) {
  Handle handle;
  Case c{none, none, 8, 8, 8, 2, f16, f16, 1, 0};
  Operands o(c);
  fillAll(o, 5);
  hipGraph_t graph;
  hipGraphExec_t exec;
  OK(hipStreamBeginCapture(handle.stream, hipStreamCaptureModeThreadLocal));
  enqueue(handle, c, o);
  OK(hipStreamEndCapture(handle.stream, &graph));
  size_t nodes = 0;
  OK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQUAL(nodes, 1);
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (unsigned seed : {6u, 8u}) {
    fillAll(o, seed);
    OK(hipGraphLaunch(exec, handle.stream));
    OK(hipStreamSynchronize(handle.stream));
    check(c, o);
  }
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
}

TEST(impossibleSizesAreRefused) {
  Handle h;
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 3, 4, 4, 4), rocblas_status_invalid_size);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 3, 4, 4), rocblas_status_invalid_size);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 4, 3, 4), rocblas_status_invalid_size);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 4, 4, 3), rocblas_status_invalid_size);
  CHECK_EQUAL(plain(h.handle, 4, 4, 6, 4, 6, 4, 4, transposed), rocblas_status_invalid_size);
  CHECK_EQUAL(plain(h.handle, -1, 4, 4, 4, 4, 4, 4), rocblas_status_invalid_size);
  CHECK_EQUAL(hipOnCpuCalls("hipModuleLaunchKernel"), 0);
}

TEST(otherWrongArgumentsAreRefused) {
  Handle h;
  CHECK_EQUAL(plain(nullptr, 4, 4, 4, 4, 4, 4, 4), rocblas_status_invalid_handle);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 4, 4, 4, rocblas_operation(7)), rocblas_status_invalid_value);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 4, 4, 4, none, f32, f32, nullptr), rocblas_status_invalid_pointer);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 4, 4, 4, none, f16, f16), rocblas_status_not_implemented);
  CHECK_EQUAL(plain(h.handle, 0, 4, 4, 4, 4, 4, 4, none, f32, f32, nullptr), rocblas_status_success);
  CHECK_EQUAL(hipOnCpuCalls("hipModuleLaunchKernel"), 0);
}

TEST(aLaunchThatFailsIsReported) {
  Handle h;
  hipOnCpuFail("hipModuleLaunchKernel", 1, hipErrorLaunchFailure);
  CHECK_EQUAL(plain(h.handle, 4, 4, 4, 4, 4, 4, 4), rocblas_status_internal_error);
}
