// dim3, the small vectors, and where the running thread is in its grid.
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

#define MILLRACE_VECTORS(Element, name)                                                            \
  struct alignas(2 * sizeof(Element)) name##2 {                                                    \
    Element x, y;                                                                                  \
  };                                                                                               \
  struct name##3 {                                                                                 \
    Element x, y, z;                                                                               \
  };                                                                                               \
  struct alignas(sizeof(Element) < 8 ? 4 * sizeof(Element) : 16) name##4 {                         \
    Element x, y, z, w;                                                                            \
  };                                                                                               \
  constexpr name##2 make_##name##2(Element x, Element y) { return {x, y}; }                        \
  constexpr name##3 make_##name##3(Element x, Element y, Element z) { return {x, y, z}; }          \
  constexpr name##4 make_##name##4(Element x, Element y, Element z, Element w) {                   \
    return {x, y, z, w};                                                                           \
  }

MILLRACE_VECTORS(int, int)
MILLRACE_VECTORS(unsigned, uint)
MILLRACE_VECTORS(float, float)
MILLRACE_VECTORS(double, double)
#undef MILLRACE_VECTORS

// Several kernels may run at once, each on the thread of its own stream.
[[maybe_unused]] static thread_local uint3 threadIdx, blockIdx;
[[maybe_unused]] static thread_local dim3 blockDim, gridDim;
