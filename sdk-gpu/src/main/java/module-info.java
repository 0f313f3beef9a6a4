/** AMD GPUs: the only module that calls native code of HIP and ROCm's libraries. */
module dev.millrace.gpu {
  requires static org.jspecify;
  requires transitive dev.millrace.core;

  exports dev.millrace.gpu;
  exports dev.millrace.gpu.captured;
  exports dev.millrace.gpu.kernel;

  provides dev.millrace.spi.DeviceProvider with
      dev.millrace.gpu.stream.GpuProvider;
}
