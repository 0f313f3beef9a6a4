// The two device clocks. clock64 counts nanoseconds, as if the core ran at 1 GHz; wall_clock64 runs
// at 100 MHz, as on AMD's data-centre GPUs.
inline long long clock64() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}
inline long long wall_clock64() { return clock64() / 10; }
