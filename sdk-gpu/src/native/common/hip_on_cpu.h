// What hip-on-cpu's libamdhip64.so.6 exports besides HIP: the control interface of tests, the call that the other
// stand-ins make first in each of their functions, and the form of a code object that runs on the CPU.
#pragma once

#include <cstddef>

#pragma GCC visibility push(default)
extern "C" {
// Forgets log, counts, planned faults and planned delays.
void hipOnCpuReset(void);
// The nth call (1 = the next) of that function, on any thread, does nothing and returns the status. "*": any function.
void hipOnCpuFail(const char* function, long nth, int status);
// The nth call first sleeps.
void hipOnCpuDelay(const char* function, long nth, long nanoseconds);
// Calls since the last reset. "*": of all functions.
long hipOnCpuCalls(const char* function);
// Copies "thread function stream device status caller\n" lines, zero-terminated, as far as they fit; returns the size
// needed.
long hipOnCpuLog(char* out, long size);
// How many devices there are (default 2, or HIP_ON_CPU_DEVICES). 0 imitates a machine without a GPU.
void hipOnCpuDevices(int count);
// What was not given back yet: "streams" "events" "bytes" "modules" "graphs" "execs"; and "exec-overlaps": launches of
// a graph that ran while another launch of the same instantiated graph was still running. -1 for any other word.
long hipOnCpuLive(const char* what);
// Device memory of each device, in bytes.
void hipOnCpuMemory(long bytes);
// First call in each function of the other stand-ins: counts, logs, sleeps; returns the status to fail with, or 0.
int hipOnCpuEnter(const char* function, void* stream, void* caller);
}
#pragma GCC visibility pop

// What the shared object that hipRTC makes exports as `millrace_kernels`, ended by a null name.
struct HipOnCpuKernel {
  const char* name;
  // args[i] points at the value of argument i; runs the whole grid on the calling thread.
  void (*run)(void** args, const unsigned grid[3], const unsigned block[3], size_t sharedBytes);
  int argCount;
};
