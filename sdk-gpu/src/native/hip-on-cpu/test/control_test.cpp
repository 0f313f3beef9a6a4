#include <cstring>
#include <sstream>
#include <thread>

#include "check.h"

namespace {

std::vector<std::string> logLines() {
  std::string buffer(static_cast<size_t>(hipOnCpuLog(nullptr, 0)), '\0');
  hipOnCpuLog(buffer.data(), static_cast<long>(buffer.size()));
  std::istringstream in(buffer.c_str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST(failsTheCallThatWasPlanned) {
  auto stream = newStream();
  hipOnCpuFail("hipStreamQuery", 2, hipErrorUnknown);
  OK(hipStreamQuery(stream));
  CHECK_EQUAL(hipStreamQuery(stream), hipErrorUnknown);
  CHECK_EQUAL(hipGetLastError(), hipErrorUnknown);
  OK(hipStreamQuery(stream));
  hipOnCpuFail("*", 1, hipErrorOutOfMemory);
  hipGetErrorName(hipSuccess);  // has no status to fail with
  CHECK_EQUAL(hipStreamDestroy(stream), hipErrorOutOfMemory);
  OK(hipStreamDestroy(stream));
}

TEST(resettingForgetsPlansAndCounts) {
  hipOnCpuFail("hipStreamQuery", 1, hipErrorUnknown);
  hipOnCpuReset();
  CHECK_EQUAL(hipOnCpuCalls("*"), 0);
  OK(hipStreamQuery(nullptr));
  CHECK_EQUAL(hipOnCpuCalls("hipStreamQuery"), 1);
  CHECK_EQUAL(hipOnCpuCalls("*"), 1);
  CHECK_EQUAL(hipOnCpuCalls("hipMalloc"), 0);
}

TEST(plannedFailureOfAnAllocationAllocatesNothing) {
  hipOnCpuFail("hipMalloc", 1, hipErrorOutOfMemory);
  void* memory = &memory;
  CHECK_EQUAL(hipMalloc(&memory, 10), hipErrorOutOfMemory);
  CHECK(memory == &memory);
  CHECK_EQUAL(live("bytes"), 0);
}

TEST(delaysTheCallThatWasPlanned) {
  hipOnCpuDelay("hipStreamQuery", 1, 20'000'000);
  auto start = newEvent(hipEventDefault), stop = newEvent(hipEventDefault);
  OK(hipEventRecord(start, nullptr));
  OK(hipEventSynchronize(start));
  OK(hipStreamQuery(nullptr));
  OK(hipEventRecord(stop, nullptr));
  OK(hipEventSynchronize(stop));
  float milliseconds;
  OK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 19);  // a sleep is never shorter
  OK(hipEventDestroy(start));
  OK(hipEventDestroy(stop));
}

TEST(writesDownEachCall) {
  auto stream = newStream();
  OK(hipSetDevice(1));
  CHECK_EQUAL(hipStreamGetFlags(nullptr, nullptr), hipErrorInvalidValue);
  hipOnCpuReset();
  OK(hipStreamQuery(stream));
  CHECK_EQUAL(hipMalloc(nullptr, 1), hipErrorInvalidValue);
  CHECK_EQUAL(hipOnCpuEnter("rocblas_create_handle", nullptr, reinterpret_cast<void*>(&hipOnCpuReset)), 0);
  auto lines = logLines();
  CHECK_EQUAL(lines.size(), 3);
  char expected[200];
  std::snprintf(expected, sizeof expected, " hipStreamQuery %p 1 0 hip-on-cpu-test", static_cast<void*>(stream));
  CHECK(lines[0].find(expected) != std::string::npos);
  CHECK(lines[1].find(" hipMalloc - 1 1 hip-on-cpu-test") != std::string::npos);
  CHECK(lines[2].find(" rocblas_create_handle 0x0 1 0 libamdhip64.so") != std::string::npos);
  char small[5] = "abcd";
  CHECK(hipOnCpuLog(small, 3) > 3);
  CHECK_EQUAL(small[2], '\0');
  OK(hipStreamDestroy(stream));
}

TEST(failsCallsOfOtherStandIns) {
  hipOnCpuFail("miopenCreate", 1, 7);
  CHECK_EQUAL(hipOnCpuEnter("miopenCreate", nullptr, nullptr), 7);
  CHECK_EQUAL(hipOnCpuEnter("miopenCreate", nullptr, nullptr), 0);
  CHECK_EQUAL(hipOnCpuCalls("miopenCreate"), 2);
}

TEST(imitatesAMachineWithoutADevice) {
  hipOnCpuDevices(0);
  int count = 9, version = 0;
  void* memory;
  CHECK_EQUAL(hipInit(0), hipErrorNoDevice);
  CHECK_EQUAL(hipGetDeviceCount(&count), hipErrorNoDevice);
  CHECK_EQUAL(count, 0);
  CHECK_EQUAL(hipMalloc(&memory, 1), hipErrorNoDevice);
  OK(hipRuntimeGetVersion(&version));
  CHECK_EQUAL(version, 60443484);
  hipOnCpuDevices(3);
  OK(hipGetDeviceCount(&count));
  CHECK_EQUAL(count, 3);
  hipOnCpuDevices(2);
}

TEST(lastErrorIsTheLastCallsUpToHip6) {
  CHECK_EQUAL(hipMalloc(nullptr, 1), hipErrorInvalidValue);
  CHECK_EQUAL(hipPeekAtLastError(), hipErrorInvalidValue);
  CHECK_EQUAL(hipGetLastError(), hipErrorInvalidValue);
  CHECK_EQUAL(hipGetLastError(), hipSuccess);
  CHECK_EQUAL(hipMalloc(nullptr, 1), hipErrorInvalidValue);
  OK(hipSetDevice(0));
  CHECK_EQUAL(hipGetLastError(), hipSuccess);
}

TEST(currentDeviceBelongsToTheThread) {
  OK(hipSetDevice(1));
  int device = 9;
  std::thread([&] { OK(hipGetDevice(&device)); }).join();
  CHECK_EQUAL(device, 0);
  CHECK_EQUAL(hipSetDevice(2), hipErrorInvalidDevice);
  OK(hipGetDevice(&device));
  CHECK_EQUAL(device, 1);
}

TEST(describesItsDevices) {
  hipDeviceProp_tR0600 properties[2];
  hipUUID uuids[2];
  char bus[2][32];
  for (int device = 0; device < 2; ++device) {
    OK(hipGetDevicePropertiesR0600(&properties[device], device));
    OK(hipDeviceGetUuid(&uuids[device], device));
    OK(hipDeviceGetPCIBusId(bus[device], sizeof bus[device], device));
    unsigned domain, busId, slot, function;
    CHECK_EQUAL(std::sscanf(bus[device], "%x:%x:%x.%x", &domain, &busId, &slot, &function), 4);
    CHECK_EQUAL(busId, properties[device].pciBusID);
    CHECK_EQUAL(std::memcmp(&uuids[device], &properties[device].uuid, sizeof(hipUUID)), 0);
  }
  CHECK(std::strcmp(bus[0], bus[1]) != 0);
  CHECK(std::memcmp(&uuids[0], &uuids[1], sizeof(hipUUID)) != 0);
  CHECK_EQUAL(std::strcmp(properties[0].gcnArchName, "gfx1010"), 0);
  CHECK_EQUAL(properties[0].major, 10);
  CHECK_EQUAL(properties[0].minor, 1);
  int value;
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
  CHECK_EQUAL(value, properties[0].warpSize);
  char name[8];
  OK(hipDeviceGetName(name, sizeof name, 0));
  CHECK_EQUAL(std::strcmp(name, "HIP on "), 0);
  CHECK_EQUAL(std::strcmp(hipGetErrorName(hipErrorContextIsDestroyed), "hipErrorContextIsDestroyed"), 0);
}
