// 64 bits of 2/pi from a bit after the point on, after 64 zeros.
static uint64_t f64_part_of_turns(size_t bit) {
    static const uint64_t bits[21] = {
        0,
        UINT64_C(0xa2f9836e4e441529),
        UINT64_C(0xfc2757d1f534ddc0),
        UINT64_C(0xdb6295993c439041),
        UINT64_C(0xfe5163abdebbc561),
        UINT64_C(0xb7246e3a424dd2e0),
        UINT64_C(0x06492eea09d1921c),
        UINT64_C(0xfe1deb1cb129a73e),
        UINT64_C(0xe88235f52ebb4484),
        UINT64_C(0xe99c7026b45f7e41),
        UINT64_C(0x3991d639835339f4),
        UINT64_C(0x9c845f8bbdf9283b),
        UINT64_C(0x1ff897ffde05980f),
        UINT64_C(0xef2f118b5a0a6d1f),
        UINT64_C(0x6d367ecf27cb09b7),
        UINT64_C(0x4f463f669e5fea2d),
        UINT64_C(0x7527bac7ebe5f17b),
        UINT64_C(0x3d0739f78a5292ea),
        UINT64_C(0x6bfb5fb11f8d5d08),
        UINT64_C(0x56033046fc7b6bab),
        UINT64_C(0xf0cfbc209af4361d),
    };
    const size_t word = bit / 64, shift = bit % 64;
    return shift == 0 ? bits[word] : bits[word] << shift | bits[word + 1] >> (64 - shift);
}

// The low half of a product, and in *high the other.
static uint64_t f64_product(uint64_t a, uint64_t b, uint64_t *high) {
    const uint64_t low = UINT64_C(0xffffffff);
    const uint64_t least = (a & low) * (b & low);
    const uint64_t left = (a >> 32) * (b & low) + (least >> 32);
    const uint64_t right = (a & low) * (b >> 32) + (left & low);
    *high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
    return right << 32 | (least & low);
}

// value / 2^place
static double f64_placed(uint64_t value, uint64_t place) {
    const uint64_t bits = (1023 - place) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (double)value * scale;
}

// An angle of 2^20 or more, or what is no number, by as much of 2/pi as it reaches: the quarters of its turn, 192 bits
// after the point.
static void f64_turn(double a, uint64_t *n, double *y, double *z) {
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    const uint64_t exponent = bits >> 52 & 0x7ff;
    if (exponent == 0x7ff) {
        *n = 0;
        *y = NAN;
        *z = NAN;
        return;
    }
    const uint64_t significand = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    const size_t from = (size_t)(exponent - 1075 - 2 + 64);
    uint64_t high, carry, unused;
    f64_product(significand, f64_part_of_turns(from + 128), &carry);
    const uint64_t last = significand * f64_part_of_turns(from + 128);
    uint64_t middle = f64_product(significand, f64_part_of_turns(from + 64), &high);
    middle += carry;
    high += middle < carry;
    const uint64_t first = f64_product(significand, f64_part_of_turns(from), &unused) + high;
    // Two bits count quarters, the rest is the fraction of one: of the next one where it is half or more.
    uint64_t f0 = first << 2 | middle >> 62, f1 = middle << 2 | last >> 62, f2 = last << 2;
    const bool up = f0 >> 63 != 0;
    if (up) {
        f2 = 0 - f2;
        f1 = ~f1 + (f2 == 0);
        f0 = ~f0 + (f2 == 0 && f1 == 0);
    }
    const uint64_t count = (first >> 62) + up;
    double radians = 0.0, rest = 0.0;
    if (f0 != 0 || f1 != 0) {
        uint64_t zeros = 0;
        while (f0 >> 63 == 0) {
            f0 = f0 << 1 | f1 >> 63;
            f1 = f1 << 1 | f2 >> 63;
            f2 <<= 1;
            zeros += 1;
        }
        // Two numbers of 53 bits, exactly, times pi/2.
        const double quarter = 1.5707963267948966, quarter_low = 6.123233995736766e-17;
        const double p = f64_placed(f0 >> 11, 53 + zeros);
        const double q = f64_placed((f0 << 42 | f1 >> 22) & UINT64_C(0x1fffffffffffff), 106 + zeros);
        const double product = p * quarter;
        const double lacking = fma(p, quarter, -product) + (p * quarter_low + q * quarter);
        radians = product + lacking;
        rest = (product - radians) + lacking;
    }
    const bool negative = a < 0.0;
    *n = negative ? 0 - count : count;
    *y = up != negative ? -radians : radians;
    *z = up != negative ? -rest : rest;
}

// Replaces what angles have that are large.
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
static void f64_turns(int count, const double *a, uint64_t *n, double *y, double *z) {
    for (int i = 0; i < count; i += 1) {
        if (fabs(a[i]) >= 1048576.0) {
            f64_turn(a[i], n + i, y + i, z + i);
        }
    }
}
