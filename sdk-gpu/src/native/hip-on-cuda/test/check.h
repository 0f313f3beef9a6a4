// Counts what holds and prints what does not.
#pragma once

#include "hip_abi.h"
#include "hip_on_cpu.h"

namespace selftest {

void begin(const char* section);
void note(bool holds, const char* text, const char* file, int line);
void noteStatus(int status, int wanted, const char* text, const char* file, int line);
int finish();

// One compiled module for all sections; null function if there is none.
struct Kernels {
  hipModule_t module = nullptr;
  hipFunction_t add, fill, spin, empty, many;
};
const Kernels& kernels();

hipError_t launch(hipFunction_t function, unsigned threads, hipStream_t stream, void** parameters);
hipError_t spin(long long nanoseconds, hipStream_t stream);
hipError_t fill(float* out, float value, int n, hipStream_t stream);
// Copies the first value after all work of the stream.
float first(const float* device, hipStream_t stream);

void testCompiler();
void testCompiledCode();
void testDevices();
void testStreams();
void testEvents();
void testMemory();
void testModules();
void testCaptures();
void testGraphs();
void testHandles();
void testGemm();
void testControl();
void testThreads();
void printCosts();
int runFault();

}  // namespace selftest

#define CHECK(condition) selftest::note((condition), #condition, __FILE__, __LINE__)
#define STATUS(call, wanted) selftest::noteStatus((call), (wanted), #call, __FILE__, __LINE__)
#define OK(call) STATUS(call, 0)
