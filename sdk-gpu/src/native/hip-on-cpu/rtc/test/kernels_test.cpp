// Compiled kernels: what their note says of them, and what they compute on streams.
#include "Source.h"

#include "code_object.h"
#include "../prelude/small_float.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>

namespace {

using millrace::BFloat16;
using millrace::Half;
using millrace::KernelDescription;

std::string kernelText() {
  std::ostringstream content;
  content << std::ifstream(KERNEL_SOURCE).rdbuf();
  return content.str();
}

/** The test kernels, compiled once for all tests of this file. */
const std::vector<uint8_t>& code() {
  static const std::vector<uint8_t> bytes = [] {
    Source source(kernelText());
    hiprtcResult result = source.compile({"--offload-arch=gfx942"});
    if (result != HIPRTC_SUCCESS) throw Failure{source.log()};
    return source.code();
  }();
  return bytes;
}

class Module {
public:
  explicit Module(const std::vector<uint8_t>& image = code()) {
    OK(hipModuleLoadData(&module, image.data()));
  }
  ~Module() { (void)hipModuleUnload(module); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  template <class... Arguments>
  void launch(hipStream_t stream, const char* name, dim3 grid, dim3 block, Arguments... arguments) {
    hipFunction_t function;
    OK(hipModuleGetFunction(&function, module, name));
    void* parameters[] = {&arguments...};
    OK(hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, stream,
                             parameters, nullptr));
  }

private:
  hipModule_t module = nullptr;
};

/** Device memory that the host may look at once its stream is done. */
template <class T> class Buffer {
public:
  explicit Buffer(size_t count) : count(count) {
    OK(hipMalloc(reinterpret_cast<void**>(&data), count * sizeof(T)));
  }
  ~Buffer() { (void)hipFree(data); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T& operator[](size_t i) { return data[i]; }

  T* data = nullptr;
  size_t count;
};

const KernelDescription& described(const std::vector<KernelDescription>& kernels, const std::string& name) {
  auto found = std::find_if(kernels.begin(), kernels.end(), [&](auto& k) { return k.name == name; });
  if (found == kernels.end()) throw Failure{"no kernel " + name};
  return *found;
}

std::string layout(const KernelDescription& kernel) {
  std::string content;
  for (const auto& argument : kernel.arguments)
    content += std::to_string(argument.offset) + "+" + std::to_string(argument.size) +
            (argument.kind == "global_buffer" ? "* " : argument.kind == "by_value" ? " " : "? ");
  return content + "= " + std::to_string(kernel.argumentBytes);
}

template <class Format> void checkHalfAxpy(const char* name) {
  constexpr int n = 1000;
  Buffer<unsigned short> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = Format::fromFloat(0.37f * float(i)), y[i] = Format::fromFloat(float(i - 500));
  unsigned short alpha = Format::fromFloat(1.1f);
  std::vector<unsigned short> expected(n);
  for (int i = 0; i < n; ++i) {
    unsigned short product = Format::fromFloat(Format::toFloat(alpha) * Format::toFloat(x[i]));
    expected[i] = Format::fromFloat(Format::toFloat(product) + Format::toFloat(y[i]));
  }
  hipStream_t stream = newStream();
  Module module;
  module.launch(stream, name, {8}, {128}, alpha, x.data, y.data, n);
  OK(hipStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) CHECK_EQUAL(y[i], expected[i]);
  OK(hipStreamDestroy(stream));
}

} // namespace

TEST(theNoteDescribesEveryKernelOfCLinkage) {
  auto kernels = millrace::readKernels(code());
  CHECK(kernels.has_value());
  CHECK_EQUAL(kernels->size(), 8);
  CHECK(layout(described(*kernels, "vectorAdd")) == "0+8* 8+8* 16+8* 24+4 = 32");
  CHECK(layout(described(*kernels, "axpy")) == "0+4 8+8* 16+8* 24+4 = 32");
  CHECK(layout(described(*kernels, "axpyHalf")) == "0+2 8+8* 16+8* 24+4 = 32");
  CHECK(layout(described(*kernels, "spin")) == "0+8 8+8* = 16");
  CHECK(layout(described(*kernels, "mixed")) == "0+1 8+32 40+2 48+16 64+8* 72+8* = 80");
  CHECK(described(*kernels, "spin").symbol == "spin.kd");
}

TEST(vectorAddAddsAllElements) {
  constexpr int n = 1000;
  Buffer<float> a(n), b(n), out(n + 1);
  for (int i = 0; i < n; ++i) a[i] = float(i), b[i] = 0.5f * float(i);
  out[n] = -1;
  hipStream_t stream = newStream();
  Module module;
  module.launch(stream, "vectorAdd", {4}, {256}, a.data, b.data, out.data, n);
  OK(hipStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) CHECK(out[i] == 1.5f * float(i));
  CHECK(out[n] == -1);
  OK(hipStreamDestroy(stream));
}

TEST(launchesOnOneStreamRunInOrder) {
  constexpr int n = 300;
  Buffer<float> x(n), y(n);
  hipStream_t stream = newStream();
  Module module;
  module.launch(stream, "fill", {2}, {64}, x.data, 2.0f, (long long)n);
  module.launch(stream, "fill", {2}, {64}, y.data, 1.0f, (long long)n);
  for (int i = 0; i < 10; ++i) module.launch(stream, "axpy", {5}, {64}, 0.5f, x.data, y.data, n);
  OK(hipStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) CHECK(y[i] == 11.0f);
  OK(hipStreamDestroy(stream));
}

TEST(halvesRoundAfterEachOperation) { checkHalfAxpy<Half>("axpyHalf"); }

TEST(bfloat16sRoundAfterEachOperation) { checkHalfAxpy<BFloat16>("axpyBFloat16"); }

TEST(kernelsOfSeveralStreamsKeepTheirPlaces) {
  constexpr int streams = 4;
  dim3 grid{3, 2, 2}, block{4, 3, 2};
  size_t n = 12 * 24;
  struct Place {
    unsigned x, y, z;
  };
  Module module;
  std::vector<hipStream_t> all;
  std::vector<std::unique_ptr<Buffer<Place>>> threads, blocks;
  for (int s = 0; s < streams; ++s) {
    all.push_back(newStream());
    threads.push_back(std::make_unique<Buffer<Place>>(n));
    blocks.push_back(std::make_unique<Buffer<Place>>(n));
  }
  for (int round = 0; round < 20; ++round)
    for (int s = 0; s < streams; ++s)
      module.launch(all[s], "whereAmI", grid, block, threads[s]->data, blocks[s]->data);
  for (int s = 0; s < streams; ++s) {
    OK(hipStreamSynchronize(all[s]));
    for (unsigned i = 0; i < n; ++i) {
      Place thread = (*threads[s])[i], place = (*blocks[s])[i];
      CHECK_EQUAL((thread.z * 3 + thread.y) * 4 + thread.x, i % 24);
      CHECK_EQUAL((place.z * 2 + place.y) * 3 + place.x, i / 24);
    }
    OK(hipStreamDestroy(all[s]));
  }
}

TEST(argumentsOfAllKindsArrive) {
  struct Mixed {
    char tag;
    double weights[3];
  };
  struct alignas(16) Float4 {
    float x, y, z, w;
  };
  Buffer<bool> out(1);
  hipStream_t stream = newStream();
  Module module;
  module.launch(stream, "mixed", {1}, {1}, 'c', Mixed{'t', {0, 0, 2.5}}, short(-3), Float4{1, 2, 3, 4},
                (const void*)out.data, out.data);
  OK(hipStreamSynchronize(stream));
  CHECK(out[0]);
  OK(hipStreamDestroy(stream));
}

TEST(spinKernelsHoldTheirStreamAndCountAtomically) {
  Buffer<int> runs(1);
  runs[0] = 0;
  Module module;
  hipStream_t one = newStream(), two = newStream();
  for (int i = 0; i < 50; ++i)
    for (hipStream_t stream : {one, two}) module.launch(stream, "spin", {1}, {4}, 100LL, runs.data);
  OK(hipStreamSynchronize(one));
  OK(hipStreamSynchronize(two));
  CHECK_EQUAL(runs[0], 400);
  OK(hipStreamDestroy(one));
  OK(hipStreamDestroy(two));
}

TEST(aKernelOfANameExpressionRuns) {
  Source source(kernelText());
  CHECK_EQUAL(hiprtcAddNameExpression(source.program, "scale<float, 3>"), HIPRTC_SUCCESS);
  CHECK_EQUAL(source.compile(), HIPRTC_SUCCESS);
  const char* lowered;
  CHECK_EQUAL(hiprtcGetLoweredName(source.program, "scale<float, 3>", &lowered), HIPRTC_SUCCESS);
  Buffer<float> value(1);
  value[0] = 1.5f;
  hipStream_t stream = newStream();
  Module module(source.code());
  module.launch(stream, lowered, {1}, {1}, value.data);
  OK(hipStreamSynchronize(stream));
  CHECK(value[0] == 4.5f);
  OK(hipStreamDestroy(stream));
}
