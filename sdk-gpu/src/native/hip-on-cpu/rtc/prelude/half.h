// The two 16-bit floating-point formats. Arithmetic is done in float and rounded once per
// operation, to nearest, ties to even, which is what a GPU's 16-bit instructions give.
#include "small_float.h"

namespace millrace {

template <class Format> class SmallFloat {
public:
  SmallFloat() = default;
  constexpr SmallFloat(float value) : bits(Format::fromFloat(value)) {}
  constexpr operator float() const { return Format::toFloat(bits); }

  static constexpr SmallFloat ofBits(unsigned short bits) {
    SmallFloat result(0.0f);
    result.bits = bits;
    return result;
  }
  constexpr unsigned short toBits() const { return bits; }

  constexpr SmallFloat& operator+=(SmallFloat other) { return *this = *this + other; }
  constexpr SmallFloat& operator-=(SmallFloat other) { return *this = *this - other; }
  constexpr SmallFloat& operator*=(SmallFloat other) { return *this = *this * other; }
  constexpr SmallFloat& operator/=(SmallFloat other) { return *this = *this / other; }

private:
  unsigned short bits;
};

// Templates, so that they take no part when one side is a float: that is float arithmetic.
template <class F> constexpr SmallFloat<F> operator+(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) + float(b);
}
template <class F> constexpr SmallFloat<F> operator-(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) - float(b);
}
template <class F> constexpr SmallFloat<F> operator*(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) * float(b);
}
template <class F> constexpr SmallFloat<F> operator/(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) / float(b);
}
template <class F> constexpr SmallFloat<F> operator-(SmallFloat<F> a) { return -float(a); }

} // namespace millrace

using __half = millrace::SmallFloat<millrace::Half>;
using half = __half;
using __hip_bfloat16 = millrace::SmallFloat<millrace::BFloat16>;
using hip_bfloat16 = __hip_bfloat16;
static_assert(sizeof(__half) == 2 && sizeof(__hip_bfloat16) == 2);

constexpr float __half2float(__half value) { return value; }
constexpr __half __float2half(float value) { return value; }
constexpr __half __float2half_rn(float value) { return value; }
constexpr unsigned short __half_as_ushort(__half value) { return value.toBits(); }
constexpr __half __ushort_as_half(unsigned short bits) { return __half::ofBits(bits); }
constexpr __half __hadd(__half a, __half b) { return a + b; }
constexpr __half __hsub(__half a, __half b) { return a - b; }
constexpr __half __hmul(__half a, __half b) { return a * b; }
constexpr __half __hdiv(__half a, __half b) { return a / b; }
inline __half __hfma(__half a, __half b, __half c) { return fmaf(a, b, c); }

constexpr float __bfloat162float(__hip_bfloat16 value) { return value; }
constexpr __hip_bfloat16 __float2bfloat16(float value) { return value; }
constexpr __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b) { return a + b; }
constexpr __hip_bfloat16 __hsub(__hip_bfloat16 a, __hip_bfloat16 b) { return a - b; }
constexpr __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b) { return a * b; }
constexpr __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) { return a / b; }
