#[doc(hidden)]
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
static __rise_mvOpt_program: ::rise::private::opencl::Program = ::rise::private::opencl::Program { source: "// Kernel `mvOpt` for OpenCL. Written by rise-build 0.1.0.\n\n#pragma OPENCL FP_CONTRACT OFF\n\nstatic inline size_t size_div(size_t a, size_t b) {\n    return b == 0 ? 0 : a / b;\n}\n\nkernel void mvOpt(global float *restrict output, const global float *restrict M, const global float *restrict x, const ulong n, const ulong m, const ulong s) {\n    // mapWorkGroup(0)\n    const size_t wgId_end = size_div(n, s);\n    for (size_t wgId = get_group_id(0); wgId < wgId_end; wgId += get_num_groups(0)) {\n        // mapLocal(0)\n        for (size_t lId = get_local_id(0); lId < s; lId += get_local_size(0)) {\n            // reduceSeq\n            float accum = 0.0f;\n            for (size_t i = 0; i < m; i += 1) {\n                accum = accum + M[m * s * wgId + m * lId + i] * x[i];\n            }\n            output[s * wgId + lId] = accum;\n        }\n    }\n}\n", doubles: false, local: 0 };
#[doc(hidden)]
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
unsafe fn __rise_mvOpt_launch(device: &::rise::opencl::Device, n0: usize, n1: usize, n2: usize, p0: &::rise::private::opencl::Memory, p1: &::rise::private::opencl::Memory, out: &::rise::private::opencl::Memory) -> ::core::result::Result<(), ::rise::Error> {
    let run = ::rise::private::opencl::Run::new(device, &__rise_mvOpt_program)?;
    let mut m0 = p0;
    let mut m1 = p1;
    let mut m2 = out;
    {
        unsafe { run.launch(c"mvOpt", ::rise::private::opencl::Work::Groups([(::rise::private::Size::from(n0) / ::rise::private::Size::from(n2)).get().unwrap_or(0), 1, 1], [n2, 1, 1]), &[::rise::private::opencl::Arg::Memory(m2), ::rise::private::opencl::Arg::Memory(m0), ::rise::private::opencl::Arg::Memory(m1), ::rise::private::opencl::Arg::of(&(n0 as u64)), ::rise::private::opencl::Arg::of(&(n1 as u64)), ::rise::private::opencl::Arg::of(&(n2 as u64))])?; }
    }
    ::core::result::Result::Ok(())
}
#[doc(hidden)]
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
unsafe fn __rise_mvOpt_run(n0: usize, n1: usize, n2: usize, p0: *const f32, p1: *const f32, out: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    let device = &::rise::opencl::Device::default()?;
    let p0_memory = ::rise::private::opencl::Memory::new(device, ::rise::private::opencl::bytes::<f32>((::rise::private::Size::from(n0) * ::rise::private::Size::from(n1)).checked("the memory of a buffer")?)?)?;
    unsafe { p0_memory.write(p0.cast::<::core::ffi::c_void>(), p0_memory.bytes())?; }
    let p1_memory = ::rise::private::opencl::Memory::new(device, ::rise::private::opencl::bytes::<f32>(n1)?)?;
    unsafe { p1_memory.write(p1.cast::<::core::ffi::c_void>(), p1_memory.bytes())?; }
    let out_memory = ::rise::private::opencl::Memory::new(device, ::rise::private::opencl::bytes::<f32>((::rise::private::Size::from(n2) * (::rise::private::Size::from(n0) / ::rise::private::Size::from(n2))).checked("the memory of a buffer")?)?)?;
    unsafe { __rise_mvOpt_launch(device, n0, n1, n2, &p0_memory, &p1_memory, &out_memory)?; }
    unsafe { out_memory.read(out.cast(), out_memory.bytes())?; }
    ::core::result::Result::Ok(())
}
