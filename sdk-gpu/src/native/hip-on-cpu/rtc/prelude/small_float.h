// Bits of the 16-bit formats to float and back, to nearest, ties to even. No compiler's own 16-bit
// type is used: whether there is one depends on the compiler, its version and the machine.
#ifndef MILLRACE_SMALL_FLOAT_H
#define MILLRACE_SMALL_FLOAT_H

namespace millrace {

constexpr unsigned bitsOf(float value) {
  static_assert(sizeof(unsigned) == sizeof(float));
  return __builtin_bit_cast(unsigned, value);
}
constexpr float floatOf(unsigned bits) { return __builtin_bit_cast(float, bits); }

/** bfloat16: the upper half of a float. */
struct BFloat16 {
  static constexpr float toFloat(unsigned short bits) { return floatOf(unsigned(bits) << 16); }

  static constexpr unsigned short fromFloat(float value) {
    unsigned bits = bitsOf(value);
    if (value != value) return static_cast<unsigned short>((bits >> 16) | 0x40);
    return static_cast<unsigned short>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
};

/** IEEE 754 binary16. */
struct Half {
  static constexpr float toFloat(unsigned short bits) {
    unsigned sign = unsigned(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00) return floatOf(sign | 0x7f800000 | (magnitude << 13));
    if (magnitude >= 0x0400) return floatOf(sign | ((magnitude << 13) + (112u << 23)));
    float subnormal = float(magnitude) * 0x1p-24f;
    return sign ? -subnormal : subnormal;
  }

  static constexpr unsigned short fromFloat(float value) {
    unsigned bits = bitsOf(value), sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
    return static_cast<unsigned short>(sign | fromMagnitude(magnitude));
  }

private:
  static constexpr unsigned fromMagnitude(unsigned magnitude) {
    if (magnitude > 0x7f800000) return 0x7e00 | ((magnitude >> 13) & 0x3ff);
    if (magnitude >= 0x477ff000) return 0x7c00; // rounds to 2^16 or above
    if (magnitude >= 0x38800000) return rounded(magnitude - (112u << 23), 13);
    if (magnitude < 0x33000000) return 0; // below half of the smallest subnormal
    return rounded((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >> 23));
  }

  static constexpr unsigned rounded(unsigned value, unsigned drop) {
    return (value + (1u << (drop - 1)) - 1 + ((value >> drop) & 1)) >> drop;
  }
};

} // namespace millrace

#endif
