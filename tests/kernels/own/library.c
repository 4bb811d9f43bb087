/* A library as users have them: a product of matrices with the parameters of `cblas_sgemm`, and functions of scalars. */

void own_sgemm(int order, int transposed_a, int transposed_b, int m, int n, int k, float alpha, const float *a, int lda,
               const float *b, int ldb, float beta, float *c, int ldc);
float own_square(float x);
double own_mix(double x, int y);
float own_half(float x);
float own_noted(float x);
void own_square4(const float *x, float *square);
void own_mix8(const double *x, const int *y, double *mixed);

/* How often the product was computed here. */
int own_calls = 0;

/* How often several squares were computed at once here. */
int own_vectors = 0;

static int least(int a, int b) { return a > b ? a : b; }

void own_sgemm(int order, int transposed_a, int transposed_b, int m, int n, int k, float alpha, const float *a, int lda,
               const float *b, int ldb, float beta, float *c, int ldc) {
    if (order != 101 || m < 1 || n < 1 || k < 1 || lda < least(1, transposed_a == 112 ? m : k) ||
        ldb < least(1, transposed_b == 112 ? k : n) || ldc < n || alpha != 1.0f || beta != 0.0f) {
        __builtin_trap();
    }
    own_calls += 1;
    for (int i = 0; i < m; i += 1) {
        for (int j = 0; j < n; j += 1) {
            float sum = 0.0f;
            for (int l = 0; l < k; l += 1) {
                sum += (transposed_a == 112 ? a[l * lda + i] : a[i * lda + l]) *
                       (transposed_b == 112 ? b[j * ldb + l] : b[l * ldb + j]);
            }
            c[i * ldc + j] = sum;
        }
    }
}

float own_square(float x) { return x * x; }

/* On how many threads this was called. */
int own_threads = 0;

float own_noted(float x) {
    static __thread int noted = 0;
    if (!noted) {
        noted = 1;
        __sync_fetch_and_add(&own_threads, 1);
    }
    return x;
}

float own_half(float x) { return x * 0.5f; }

double own_mix(double x, int y) { return x + 2 * y; }

void own_square4(const float *x, float *square) {
    own_vectors += 1;
    for (int i = 0; i < 4; i += 1) {
        square[i] = x[i] * x[i];
    }
}

void own_mix8(const double *x, const int *y, double *mixed) {
    for (int i = 0; i < 8; i += 1) {
        mixed[i] = x[i] + 2 * y[i];
    }
}
