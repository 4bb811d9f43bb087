//! The basic programs for devices, without any strategy.

use rise::rise;

rise! {
    use "../cases/basics.rise";

    compile scal to opencl;
    compile shifted_add to opencl;
    compile reverse to opencl;
    compile reverse_written to opencl;
    compile strided to opencl;
    compile strided_back to opencl;
    compile transposed to opencl;
    compile transposed_written to opencl;
    compile dot_product to opencl;
    compile asum to opencl;
    compile prefix_sums to opencl;
    compile prefix_sums_from_5 to opencl;
    compile gemv to opencl;
    compile matmul to opencl;
    compile binomial to opencl;
    compile j2d5pt to opencl;
    compile binomial2D to opencl;
    compile binomial2D_factorised to opencl;
    compile binomial2D_separated to opencl;
    compile heat3d to opencl;
    compile distances to opencl;
    compile distances_of_two to opencl;
    compile nearest_cluster to opencl;
}
