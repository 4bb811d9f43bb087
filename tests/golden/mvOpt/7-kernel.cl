// Kernel `mvOpt` for OpenCL. Written by rise-build 0.1.0.

#pragma OPENCL FP_CONTRACT OFF

static inline size_t size_div(size_t a, size_t b) {
    return b == 0 ? 0 : a / b;
}

kernel void mvOpt(global float *restrict output, const global float *restrict M, const global float *restrict x, const ulong n, const ulong m, const ulong s) {
    // mapWorkGroup(0)
    const size_t wgId_end = size_div(n, s);
    for (size_t wgId = get_group_id(0); wgId < wgId_end; wgId += get_num_groups(0)) {
        // mapLocal(0)
        for (size_t lId = get_local_id(0); lId < s; lId += get_local_size(0)) {
            // reduceSeq
            float accum = 0.0f;
            for (size_t i = 0; i < m; i += 1) {
                accum = accum + M[m * s * wgId + m * lId + i] * x[i];
            }
            output[s * wgId + lId] = accum;
        }
    }
}
