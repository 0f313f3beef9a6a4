// The 16-bit formats, every value of each.
#include "../prelude/small_float.h"

#include "check.h"

#include <cmath>

namespace {

using millrace::BFloat16;
using millrace::Half;

template <class Format> void checkRoundTrip() {
  for (unsigned bits = 0; bits <= 0xffff; ++bits) {
    float value = Format::toFloat(static_cast<unsigned short>(bits));
    unsigned back = Format::fromFloat(value);
    if (std::isnan(value)) CHECK(std::isnan(Format::toFloat(static_cast<unsigned short>(back))));
    else CHECK_EQUAL(back, bits);
  }
}

/** Between each value and the next: exact halves go to the even one, all others to the nearer. */
template <class Format> void checkRounding(unsigned largest) {
  for (unsigned bits = 0; bits < largest; ++bits) {
    float low = Format::toFloat(static_cast<unsigned short>(bits));
    float high = Format::toFloat(static_cast<unsigned short>(bits + 1));
    float middle = static_cast<float>((static_cast<double>(low) + high) / 2);
    unsigned even = bits % 2 == 0 ? bits : bits + 1;
    CHECK_EQUAL(Format::fromFloat(middle), even);
    CHECK_EQUAL(Format::fromFloat(std::nextafter(middle, 0.0f)), bits);
    CHECK_EQUAL(Format::fromFloat(std::nextafter(middle, INFINITY)), bits + 1);
    CHECK_EQUAL(Format::fromFloat(-middle), even | 0x8000);
  }
}

} // namespace

TEST(everyHalfComesBack) { checkRoundTrip<Half>(); }

TEST(everyBFloat16ComesBack) { checkRoundTrip<BFloat16>(); }

TEST(halvesRoundToNearestEven) { checkRounding<Half>(0x7bff); }

TEST(bfloat16sRoundToNearestEven) { checkRounding<BFloat16>(0x7f7f); }

TEST(knownHalves) {
  CHECK(Half::toFloat(0x3c00) == 1.0f);
  CHECK(Half::toFloat(0x7bff) == 65504.0f);
  CHECK(Half::toFloat(0x0001) == std::ldexp(1.0f, -24));
  CHECK(Half::toFloat(0xfc00) == -INFINITY);
  CHECK_EQUAL(Half::fromFloat(65519.99f), 0x7bff);
  CHECK_EQUAL(Half::fromFloat(65520.0f), 0x7c00);
  CHECK_EQUAL(Half::fromFloat(std::ldexp(1.0f, -25)), 0);
}
