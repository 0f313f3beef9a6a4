#include <thread>

#include "code_objects.h"

namespace {

constexpr int kThreads = 8, kRounds = 60;

template <typename Body>
void onManyThreads(Body body) {
  std::vector<std::thread> threads;
  std::vector<std::string> failures(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      try {
        body(t);
      } catch (const Failure& failure) {
        failures[t] = failure.where;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures) {
    if (!failure.empty()) throw Failure{failure};
  }
}

}  // namespace

TEST(threadsWorkOnStreamsOfTheirOwn) {
  TestKernels kernels;
  auto function = kernels["increment"];
  onManyThreads([&](int thread) {
    OK(hipSetDevice(thread % 2));
    DeviceInt out;
    for (int round = 0; round < kRounds; ++round) {
      auto stream = newStream(round % 2 == 0 ? hipStreamNonBlocking : hipStreamDefault);
      auto other = newStream();
      auto event = newEvent();
      for (int i = 0; i < 5; ++i) launchIncrement(function, stream, out.pointer);
      OK(hipEventRecord(event, stream));
      OK(hipStreamWaitEvent(other, event, 0));
      launchIncrement(function, other, out.pointer);
      OK(hipStreamSynchronize(other));
      OK(hipEventQuery(event));
      OK(hipEventDestroy(event));
      OK(hipStreamDestroy(stream));
      OK(hipStreamDestroy(other));
    }
    CHECK_EQUAL(out.get(), 6 * kRounds);
  });
}

TEST(threadsShareOneStream) {
  TestKernels kernels;
  auto function = kernels["increment"];
  DeviceInt out;
  auto stream = newStream();
  onManyThreads([&](int) {
    for (int round = 0; round < kRounds; ++round) launchIncrement(function, stream, out.pointer);
  });
  OK(hipStreamDestroy(stream));
  CHECK_EQUAL(out.get(), kThreads * kRounds);
}

TEST(threadsCaptureAtOnce) {
  TestKernels kernels;
  auto function = kernels["increment"];
  DeviceInt outs[kThreads];
  onManyThreads([&](int thread) {
    auto stream = newStream();
    for (int round = 0; round < kRounds; ++round) {
      OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
      launchIncrement(function, stream, outs[thread].pointer);
      hipGraph_t graph;
      hipGraphExec_t exec;
      OK(hipStreamEndCapture(stream, &graph));
      OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
      OK(hipGraphDestroy(graph));
      OK(hipGraphLaunch(exec, stream));
      OK(hipGraphExecDestroy(exec));
    }
    OK(hipStreamDestroy(stream));
  });
  for (auto& out : outs) CHECK_EQUAL(out.get(), kRounds);
}

TEST(threadsMayRaceForADyingStream) {
  for (int round = 0; round < kRounds; ++round) {
    auto stream = newStream();
    std::atomic<int> destroyed{0};
    onManyThreads([&](int thread) {
      if (thread < 2) {
        if (hipStreamDestroy(stream) == hipSuccess) ++destroyed;
        return;
      }
      auto status = hipStreamSynchronize(stream);
      CHECK(status == hipSuccess || status == hipErrorContextIsDestroyed);
    });
    CHECK_EQUAL(destroyed.load(), 1);
  }
}

TEST(threadsAllocateAndFree) {
  onManyThreads([&](int thread) {
    OK(hipSetDevice(thread % 2));
    auto stream = newStream();
    for (int round = 0; round < kRounds; ++round) {
      void *memory, *ordered, *pinned;
      OK(hipMalloc(&memory, 100 + round));
      OK(hipMallocAsync(&ordered, 100, stream));
      OK(hipHostMalloc(&pinned, 64, 0));
      OK(hipMemsetAsync(ordered, 5, 100, stream));
      OK(hipMemcpyAsync(pinned, ordered, 64, hipMemcpyDeviceToHost, stream));
      OK(hipFreeAsync(ordered, stream));
      OK(hipStreamSynchronize(stream));
      CHECK_EQUAL(static_cast<char*>(pinned)[63], 5);
      OK(hipFree(memory));
      OK(hipHostFree(pinned));
    }
    OK(hipStreamDestroy(stream));
  });
}

TEST(thousandStreamsNeedNoThousandThreads) {
  std::vector<hipStream_t> streams;
  for (int i = 0; i < 1000; ++i) streams.push_back(newStream());
  std::atomic<int> count{0};
  for (auto stream : streams) {
    OK(hipLaunchHostFunc(stream, [](void* c) { ++*static_cast<std::atomic<int>*>(c); }, &count));
    OK(hipStreamSynchronize(stream));
  }
  CHECK_EQUAL(count.load(), 1000);
  for (auto stream : streams) OK(hipStreamDestroy(stream));
}
