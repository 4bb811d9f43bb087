//! Words that no identifier in OpenCL C may be.

use crate::backend::names::Names;

const KEYWORDS: &str = "auto break case char const continue default do double else enum extern float for goto if \
    inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void \
    volatile while bool true false asm typeof global local private constant generic kernel read_only write_only \
    read_write uniform pipe half uchar ushort uint ulong uintptr_t intptr_t size_t ptrdiff_t quad complex imaginary \
    image2d_t image3d_t sampler_t event_t queue_t and or xor not";

/// Of the library, and what the generated code uses itself.
const RESERVED: &str = "_ NULL INFINITY NAN MAXFLOAT LONG_MIN INT_MIN M_PI M_E abs abs_diff add_sat hadd rhadd clz \
    clamp mad_hi mad24 mul24 mul_hi mad_sat max min popcount rotate sub_sat upsample degrees mix radians step \
    smoothstep sign cross dot distance length normalize isequal isless isfinite isinf isnan isnormal isordered \
    signbit any all bitselect select shuffle acos acosh asin asinh atan atan2 cbrt ceil copysign cos cosh erf erfc \
    exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma log log2 log10 \
    log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos \
    sinh sqrt tan tanh tgamma trunc barrier mem_fence prefetch printf vload2 vload3 vload4 vload8 vload16 vstore2 \
    vstore3 vstore4 vstore8 vstore16 get_global_id get_local_id get_group_id get_global_size get_local_size \
    get_num_groups swapped linux unix main";

/// No identifiers given.
pub fn names() -> Names {
    let words: Vec<&str> = KEYWORDS.split_whitespace().chain(RESERVED.split_whitespace()).collect();
    Names::new(&[&words]).ascii()
}
