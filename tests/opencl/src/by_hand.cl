// The benchmarks of the papers as one would write them by hand: the same algorithms as in `papers.rise`.
#pragma OPENCL FP_CONTRACT OFF

typedef struct { float x, y, z; } point;
typedef struct { point p, v; } body;

point pull(point acc, point p, point q, float mass) {
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    float r = dx * dx + dy * dy + dz * dz + 500.0f;
    float s = mass / (r * sqrt(r));
    acc.x += s * dx;
    acc.y += s * dy;
    acc.z += s * dz;
    return acc;
}

body moved(point p, point v, point a) {
    body result;
    result.p.x = p.x + 0.005f * v.x + 0.0000125f * a.x;
    result.p.y = p.y + 0.005f * v.y + 0.0000125f * a.y;
    result.p.z = p.z + 0.005f * v.z + 0.0000125f * a.z;
    result.v.x = v.x + 0.005f * a.x;
    result.v.y = v.y + 0.005f * a.y;
    result.v.z = v.z + 0.005f * a.z;
    return result;
}

kernel void nbody(global body *restrict out, const global point *restrict p, const global point *restrict v,
                  const global float *restrict m, const ulong n) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    point own = p[i], acc = {0.0f, 0.0f, 0.0f};
    for (size_t j = 0; j < n; j++) acc = pull(acc, own, p[j], m[j]);
    out[i] = moved(own, v[i], acc);
}

typedef struct { float p[4], v[4]; } vector_body;

kernel void nbody_vectors(global vector_body *restrict out, const global float4 *restrict p,
                          const global float4 *restrict v, const global float *restrict m, const ulong n) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    float4 own = p[i], acc = (float4)(0.0f);
    for (size_t j = 0; j < n; j++) {
        float4 d = p[j] - own;
        float r = 500.0f + d.x * d.x + d.y * d.y + d.z * d.z;
        acc += m[j] / (r * sqrt(r)) * d;
    }
    vstore4(own + 0.005f * v[i] + 0.0000125f * acc, 0, out[i].p);
    vstore4(v[i] + 0.005f * acc, 0, out[i].v);
}

__attribute__((reqd_work_group_size(128, 1, 1)))
kernel void nbody_tiled(global body *restrict out, const global point *restrict p, const global point *restrict v,
                        const global float *restrict m, const ulong n) {
    local point near[128];
    local float mass[128];
    size_t l = get_local_id(0), i = get_global_id(0);
    point own = p[i], acc = {0.0f, 0.0f, 0.0f};
    for (size_t tile = 0; tile < n; tile += 128) {
        near[l] = p[tile + l];
        mass[l] = m[tile + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t j = 0; j < 128; j++) acc = pull(acc, own, near[j], mass[j]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = moved(own, v[i], acc);
}

kernel void molecules(global point *restrict out, const global point *restrict x, const global uint *restrict near,
                      const ulong n, const ulong m) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    point p = x[i], acc = {0.0f, 0.0f, 0.0f};
    for (size_t k = 0; k < m; k++) {
        point q = x[near[k * n + i]];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        float r = dx * dx + dy * dy + dz * dz;
        float inverse = 1.0f / r, sixth = inverse * inverse * inverse;
        float force = r < 16.0f ? inverse * sixth * (1.5f * sixth - 2.0f) : 0.0f;
        acc.x += force * dx;
        acc.y += force * dy;
        acc.z += force * dz;
    }
    out[i] = acc;
}

kernel void kmeans(global int *restrict out, const global float *restrict features,
                   const global float *restrict clusters, const ulong f, const ulong p, const ulong c) {
    size_t i = get_global_id(0);
    if (i >= p) return;
    float best = 3.4e38f;
    int at = 0;
    for (size_t k = 0; k < c; k++) {
        float d = 0.0f;
        for (size_t j = 0; j < f; j++) {
            float t = features[j * p + i] - clusters[k * f + j];
            d += t * t;
        }
        if (d < best) { best = d; at = k; }
    }
    out[i] = at;
}

kernel void nearest(global float *restrict out, const global float2 *restrict points, const float a, const float b,
                    const ulong n) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    float2 p = points[i];
    out[i] = sqrt((a - p.x) * (a - p.x) + (b - p.y) * (b - p.y));
}

kernel void mri_q(global float2 *restrict out, const global point *restrict points,
                  const global float2 *restrict start, const global point *restrict waves,
                  const global float *restrict phi, const ulong x, const ulong k) {
    size_t i = get_global_id(0);
    if (i >= x) return;
    point p = points[i];
    float re = start[i].x, im = start[i].y;
    for (size_t j = 0; j < k; j++) {
        float angle = 6.2831853f * (waves[j].x * p.x + waves[j].y * p.y + waves[j].z * p.z);
        re += phi[j] * cos(angle);
        im += phi[j] * sin(angle);
    }
    out[i] = (float2)(re, im);
}

kernel void rows(global float *restrict out, const global float *restrict a, const global float *restrict weights,
                 const ulong n, const ulong m) {
    size_t j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= m) return;
    float sum = 0.0f;
    for (int t = 0; t < 17; t++)
        sum += a[i * m + clamp((long)j + t - 8, 0l, (long)m - 1)] * weights[t];
    out[i * m + j] = sum;
}

kernel void columns(global float *restrict out, const global float *restrict a,
                    const global float *restrict weights, const ulong n, const ulong m) {
    size_t j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= m) return;
    float sum = 0.0f;
    for (int t = 0; t < 17; t++)
        sum += a[clamp((long)i + t - 8, 0l, (long)n - 1) * m + j] * weights[t];
    out[i * m + j] = sum;
}

kernel void times(global float *restrict out, const global float *restrict a, const global float *restrict x,
                  const ulong m, const ulong n) {
    size_t i = get_global_id(0);
    if (i >= m) return;
    float sum = 0.0f;
    for (size_t j = 0; j < n; j++) sum += a[i * n + j] * x[j];
    out[i] = sum;
}

kernel void transposed_times(global float *restrict out, const global float *restrict a,
                             const global float *restrict x, const ulong m, const ulong n) {
    size_t j = get_global_id(0);
    if (j >= n) return;
    float sum = 0.0f;
    for (size_t i = 0; i < m; i++) sum += a[i * n + j] * x[i];
    out[j] = sum;
}

kernel void gemv(global float *restrict out, const global float *restrict a, const global float *restrict x,
                 const global float *restrict y, const float alpha, const float beta, const ulong m, const ulong n) {
    size_t i = get_global_id(0);
    if (i >= m) return;
    float sum = 0.0f;
    for (size_t j = 0; j < n; j++) sum += a[i * n + j] * x[j];
    out[i] = alpha * sum + beta * y[i];
}

kernel void gesummv(global float *restrict out, const global float *restrict a, const global float *restrict b,
                    const global float *restrict x, const float alpha, const float beta, const ulong m,
                    const ulong n) {
    size_t i = get_global_id(0);
    if (i >= m) return;
    float first = 0.0f, second = 0.0f;
    for (size_t j = 0; j < n; j++) first += a[i * n + j] * x[j];
    for (size_t j = 0; j < n; j++) second += b[i * n + j] * x[j];
    out[i] = alpha * first + beta * second;
}

kernel void mm_amd(global float *restrict out, const global float *restrict at, const global float *restrict b,
                   const ulong o, const ulong n, const ulong m) {
    size_t j = get_global_id(0) * 4, i = get_global_id(1) * 8;
    if (i >= n || j >= m) return;
    float4 acc[8];
    for (int r = 0; r < 8; r++) acc[r] = (float4)(0.0f);
    for (size_t k = 0; k < o; k++) {
        float4 row = vload4(0, b + k * m + j);
        for (int r = 0; r < 8; r++) acc[r] += at[k * n + i + r] * row;
    }
    for (int r = 0; r < 8; r++) vstore4(acc[r], 0, out + (i + r) * m + j);
}

__attribute__((reqd_work_group_size(32, 8, 1)))
kernel void mm_nvidia(global float *restrict out, const global float *restrict at, const global float *restrict b,
                      const ulong o, const ulong n, const ulong m) {
    local float as[16 * 64], bs[16 * 128];
    size_t x = get_local_id(0), y = get_local_id(1), l = y * 32 + x;
    size_t i = get_group_id(1) * 64, j = get_group_id(0) * 128;
    float4 acc[8];
    for (int r = 0; r < 8; r++) acc[r] = (float4)(0.0f);
    for (size_t tile = 0; tile < o; tile += 16) {
        vstore4(vload4(0, at + (tile + l / 16) * n + i + l % 16 * 4), l, as);
        vstore4(vload4(0, b + (tile + y) * m + j + x * 4), l, bs);
        vstore4(vload4(0, b + (tile + 8 + y) * m + j + x * 4), l + 256, bs);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) {
            float4 row = vload4(k * 32 + x, bs);
            for (int r = 0; r < 8; r++) acc[r] += as[k * 64 + y * 8 + r] * row;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 8; r++) vstore4(acc[r], 0, out + (i + y * 8 + r) * m + j + x * 4);
}

kernel void sgemm(global float *restrict out, const global float *restrict a, const global float *restrict b,
                  const global float *restrict c, const float alpha, const float beta, const ulong n, const ulong k,
                  const ulong m) {
    size_t j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= m) return;
    float sum = 0.0f;
    for (size_t l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
    out[i * m + j] = alpha * sum + beta * c[i * m + j];
}
