// Device-wide atomics: kernels of several streams run on several threads. Relaxed, as on a GPU.
template <class Number, class Change> Number millraceExchange(Number* address, Change change) {
  Number old, changed;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do changed = change(old);
  while (!__atomic_compare_exchange(address, &old, &changed, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED));
  return old;
}

#define MILLRACE_ATOMICS(Number)                                                                   \
  inline Number atomicAdd(Number* address, Number value) {                                         \
    return millraceExchange(address, [=](Number old) { return old + value; });                     \
  }                                                                                                \
  inline Number atomicMin(Number* address, Number value) {                                         \
    return millraceExchange(address, [=](Number old) { return value < old ? value : old; });       \
  }                                                                                                \
  inline Number atomicMax(Number* address, Number value) {                                         \
    return millraceExchange(address, [=](Number old) { return old < value ? value : old; });       \
  }                                                                                                \
  inline Number atomicExch(Number* address, Number value) {                                        \
    return millraceExchange(address, [=](Number) { return value; });                               \
  }

MILLRACE_ATOMICS(int)
MILLRACE_ATOMICS(unsigned)
MILLRACE_ATOMICS(unsigned long long)
MILLRACE_ATOMICS(float)
MILLRACE_ATOMICS(double)
#undef MILLRACE_ATOMICS

inline int atomicCAS(int* address, int expected, int value) {
  __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
