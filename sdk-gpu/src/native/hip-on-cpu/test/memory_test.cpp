#include <cmath>
#include <cstring>

#include "check.h"

namespace {

void* newMemory(size_t size) {
  void* memory = nullptr;
  OK(hipMalloc(&memory, size));
  return memory;
}

void* newPinned(size_t size) {
  void* memory = nullptr;
  OK(hipHostMalloc(&memory, size, 0));
  return memory;
}

}  // namespace

TEST(freshMemoryIsNotANumber) {
  auto* memory = static_cast<float*>(newMemory(400));
  float value = 0;
  OK(hipMemcpy(&value, memory + 99, sizeof value, hipMemcpyDeviceToHost));
  CHECK(std::isnan(value));
  OK(hipFree(memory));
}

TEST(knowsWhatAPointerIs) {
  OK(hipSetDevice(1));
  char* device = static_cast<char*>(newMemory(100));
  OK(hipSetDevice(0));
  char* pinned = static_cast<char*>(newPinned(100));
  char plain[64];
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, device + 99));
  CHECK_EQUAL(a.type, hipMemoryTypeDevice);
  CHECK_EQUAL(a.device, 1);
  CHECK(a.devicePointer == device + 99);
  CHECK(a.hostPointer == nullptr);
  OK(hipPointerGetAttributes(&a, pinned));
  CHECK_EQUAL(a.type, hipMemoryTypeHost);
  CHECK(a.hostPointer == pinned);
  OK(hipPointerGetAttributes(&a, plain));
  CHECK_EQUAL(a.type, hipMemoryTypeUnregistered);
  OK(hipHostRegister(plain, sizeof plain, 0));
  OK(hipPointerGetAttributes(&a, plain + 10));
  CHECK_EQUAL(a.type, hipMemoryTypeHost);
  size_t size;
  OK(hipMemPtrGetInfo(device, &size));
  CHECK_EQUAL(size, 100);
  OK(hipHostUnregister(plain));
  CHECK_EQUAL(hipHostUnregister(plain), hipErrorHostMemoryNotRegistered);
  OK(hipFree(device));
  OK(hipHostFree(pinned));
}

TEST(refusesToFreeWhatIsNotThere) {
  char* memory = static_cast<char*>(newMemory(1000));
  CHECK_EQUAL(hipFree(memory + 8), hipErrorInvalidValue);
  OK(hipFree(memory));
  CHECK_EQUAL(hipFree(memory), hipErrorInvalidValue);
  OK(hipFree(nullptr));
  int local;
  CHECK_EQUAL(hipFree(&local), hipErrorInvalidValue);
}

TEST(refusesCopiesAndFillsBeyondTheEnd) {
  char* memory = static_cast<char*>(newMemory(100));
  char host[200] = {};
  auto stream = newStream();
  CHECK_EQUAL(hipMemcpyAsync(memory, host, 101, hipMemcpyHostToDevice, stream), hipErrorInvalidValue);
  CHECK_EQUAL(hipMemcpyAsync(memory + 50, host, 51, hipMemcpyHostToDevice, stream), hipErrorInvalidValue);
  CHECK_EQUAL(hipMemcpyAsync(host, memory, 101, hipMemcpyDeviceToHost, stream), hipErrorInvalidValue);
  CHECK_EQUAL(hipMemcpyAsync(memory, nullptr, 1, hipMemcpyHostToDevice, stream), hipErrorInvalidValue);
  CHECK_EQUAL(hipMemcpyAsync(memory, host, 1, static_cast<hipMemcpyKind>(9), stream), hipErrorInvalidMemcpyDirection);
  CHECK_EQUAL(hipMemcpy2DAsync(memory, 50, host, 10, 20, 3, hipMemcpyDefault, stream), hipErrorInvalidPitchValue);
  CHECK_EQUAL(hipMemsetAsync(memory, 0, 101, stream), hipErrorInvalidValue);
  CHECK_EQUAL(hipMemsetAsync(host, 0, 1, stream), hipErrorInvalidValue);
  OK(hipMemcpyAsync(memory + 50, host, 50, hipMemcpyHostToDevice, stream));
  OK(hipStreamDestroy(stream));
  OK(hipFree(memory));
}

TEST(obeysTheMemoryLimit) {
  hipOnCpuMemory(1000);
  void *first = newMemory(600), *second = nullptr;
  CHECK_EQUAL(hipMalloc(&second, 401), hipErrorOutOfMemory);
  CHECK(second == nullptr);
  size_t free, total;
  OK(hipMemGetInfo(&free, &total));
  CHECK_EQUAL(free, 400);
  CHECK_EQUAL(total, 1000);
  CHECK_EQUAL(live("bytes"), 600);
  OK(hipSetDevice(1));
  OK(hipMalloc(&second, 1000));
  OK(hipFree(second));
  OK(hipFree(first));
  hipOnCpuMemory(16L << 30);
}

TEST(freeingWaitsForTheDevice) {
  auto stream = newStream();
  void* memory = newMemory(16);
  std::vector<int> list;
  Note note{&list, 1};
  for (int i = 0; i < 1000; ++i) OK(hipLaunchHostFunc(stream, append, &note));
  OK(hipFree(memory));
  CHECK_EQUAL(list.size(), 1000);
  OK(hipStreamDestroy(stream));
}

TEST(noticesWritesBehindTheEnd) {
  char* memory = static_cast<char*>(newMemory(100));
  long before = live("overruns");
  memory[100] = 0;
  OK(hipFree(memory));
  CHECK_EQUAL(live("overruns"), before + 1);
}

TEST(freesInStreamOrder) {
  auto stream = newStream();
  void* memory = nullptr;
  OK(hipMallocAsync(&memory, 64, stream));
  Gate gate;
  gate.holdOn(stream);
  OK(hipMemsetAsync(memory, 1, 64, stream));
  OK(hipFreeAsync(memory, stream));
  CHECK_EQUAL(hipFreeAsync(memory, stream), hipErrorInvalidValue);
  CHECK_EQUAL(live("bytes"), 64);
  gate.open();
  OK(hipStreamSynchronize(stream));
  CHECK_EQUAL(live("bytes"), 0);
  OK(hipStreamDestroy(stream));
}

TEST(copiesFromPlainMemoryAreTakenAtTheCall) {
  auto stream = newStream();
  int* memory = static_cast<int*>(newMemory(4));
  Gate gate;
  gate.holdOn(stream);
  int value = 7, result = 0;
  OK(hipMemcpyAsync(memory, &value, 4, hipMemcpyHostToDevice, stream));
  value = 8;
  gate.open();
  OK(hipMemcpyAsync(&result, memory, 4, hipMemcpyDeviceToHost, stream));  // waits: the target is not pinned
  CHECK_EQUAL(result, 7);
  OK(hipStreamDestroy(stream));
  OK(hipFree(memory));
}

TEST(copiesOfPinnedMemoryDoNotWait) {
  auto stream = newStream();
  int* memory = static_cast<int*>(newMemory(4));
  int* pinned = static_cast<int*>(newPinned(4));
  Gate gate;
  gate.holdOn(stream);
  *pinned = 7;
  OK(hipMemcpyAsync(memory, pinned, 4, hipMemcpyHostToDevice, stream));
  *pinned = 8;  // before the copy happens
  OK(hipMemcpyAsync(pinned, memory, 4, hipMemcpyDeviceToHost, stream));
  CHECK_EQUAL(hipStreamQuery(stream), hipErrorNotReady);
  gate.open();
  OK(hipStreamSynchronize(stream));
  CHECK_EQUAL(*pinned, 8);
  OK(hipStreamDestroy(stream));
  OK(hipFree(memory));
  OK(hipHostFree(pinned));
}

TEST(copiesRowsAndFills) {
  auto stream = newStream();
  char* memory = static_cast<char*>(newMemory(12));
  OK(hipMemsetAsync(memory, 1, 12, stream));
  const char rows[] = {5, 6, 7, 8};
  OK(hipMemcpy2DAsync(memory, 6, rows, 2, 2, 2, hipMemcpyHostToDevice, stream));
  char result[12];
  OK(hipMemcpyAsync(result, memory, 12, hipMemcpyDeviceToHost, stream));
  const char expected[] = {5, 6, 1, 1, 1, 1, 7, 8, 1, 1, 1, 1};
  CHECK_EQUAL(std::memcmp(result, expected, 12), 0);
  OK(hipMemset(memory, 3, 12));
  OK(hipMemcpy(result, memory, 12, hipMemcpyDeviceToHost));
  CHECK_EQUAL(result[11], 3);
  OK(hipStreamDestroy(stream));
  OK(hipFree(memory));
}

TEST(knowsItsPools) {
  hipMemPool_t pool;
  uint64_t threshold = ~UINT64_C(0);
  OK(hipDeviceGetDefaultMemPool(&pool, 1));
  OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  OK(hipMemPoolTrimTo(pool, 0));
  CHECK_EQUAL(hipMemPoolSetAttribute(nullptr, hipMemPoolAttrReleaseThreshold, &threshold), hipErrorInvalidValue);
  CHECK_EQUAL(hipDeviceGetDefaultMemPool(&pool, 2), hipErrorInvalidValue);
}
