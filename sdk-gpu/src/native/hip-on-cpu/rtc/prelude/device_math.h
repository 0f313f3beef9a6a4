// Device functions that the C++ library does not have. Functions of two leading underscores are
// macros: glibc declares some of these names for itself.
#define __expf(x) expf(x)
#define __exp10f(x) powf(10.0f, x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __powf(x, y) powf(x, y)
#define __fmaf_rn(x, y, z) fmaf(x, y, z)
#define __fsqrt_rn(x) sqrtf(x)
#define __frsqrt_rn(x) rsqrtf(x)
#define __frcp_rn(x) (1.0f / (x))
#define __fdividef(x, y) ((x) / (y))
#define __saturatef(x) fminf(fmaxf(x, 0.0f), 1.0f)

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }

#define MILLRACE_MIN_MAX(Number)                                                                   \
  constexpr Number min(Number a, Number b) { return b < a ? b : a; }                               \
  constexpr Number max(Number a, Number b) { return a < b ? b : a; }

MILLRACE_MIN_MAX(int)
MILLRACE_MIN_MAX(unsigned)
MILLRACE_MIN_MAX(long)
MILLRACE_MIN_MAX(unsigned long)
MILLRACE_MIN_MAX(long long)
MILLRACE_MIN_MAX(unsigned long long)
#undef MILLRACE_MIN_MAX

// As fminf and fmaxf: the other operand where one is not a number.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
