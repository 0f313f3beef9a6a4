package dev.millrace.gpu.ffi;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;

/** The numbers of HIP's and rocBLAS's headers that Java writes down, read from where Java does. */
final class JavaConstants {
  /** Class, field, and what the headers call it. */
  private static final String TABLE =
      """
      ffi.Hip                 NOT_READY             hipErrorNotReady
      ffi.HipDevices          PROPERTIES_BYTES      sizeof(hipDeviceProp_tR0600)
      ffi.HipDevices          GCN_ARCH_NAME_OFFSET  offsetof(hipDeviceProp_tR0600, gcnArchName)
      ffi.HipDevices          UUID_BYTES            sizeof(hipUUID)
      ffi.HipDevices          NO_DEVICE             hipErrorNoDevice
      ffi.HipDevices          INVALID_DEVICE        hipErrorInvalidDevice
      ffi.HipEvents           DISABLE_TIMING        hipEventDisableTiming
      ffi.HipEvents           RELEASE_TO_DEVICE     hipEventReleaseToDevice
      ffi.DynamicLoader       RTLD_NOW              RTLD_NOW
      stream.GpuStreams       NON_BLOCKING          hipStreamNonBlocking
      stream.HostTransfer     NON_BLOCKING          hipStreamNonBlocking
      stream.StreamOrderedPool NON_BLOCKING         hipStreamNonBlocking
      stream.GpuStreams       LEGACY                hipStreamLegacy
      stream.GpuStreams       PER_THREAD            hipStreamPerThread
      stream.StreamOrderedPool RELEASE_THRESHOLD    hipMemPoolAttrReleaseThreshold
      stream.GpuAllocator     OUT_OF_MEMORY         hipErrorOutOfMemory
      captured.CapturedEngine OUT_OF_MEMORY         hipErrorOutOfMemory
      stream.DeviceThread     RELAXED               hipStreamCaptureModeRelaxed
      stream.FreeLater        RELAXED               hipStreamCaptureModeRelaxed
      captured.Capture        THREAD_LOCAL          hipStreamCaptureModeThreadLocal
      kernel.Kernel           CAPTURING             hipStreamCaptureStatusActive
      kernel.Blas             CAPTURING             hipStreamCaptureStatusActive
      captured.CapturedLane   AS_ADDRESSES_SAY      hipMemcpyDefault
      captured.CaptureScope   AS_ADDRESSES_SAY      hipMemcpyDefault
      stream.ForeignMemory    ATTRIBUTES_BYTES      sizeof(hipPointerAttribute_t)
      stream.ForeignMemory    TYPE                  offsetof(hipPointerAttribute_t, type)
      stream.ForeignMemory    DEVICE                offsetof(hipPointerAttribute_t, device)
      stream.ForeignMemory    HOST                  hipMemoryTypeHost
      stream.ForeignMemory    ON_DEVICE             hipMemoryTypeDevice
      stream.ForeignMemory    MANAGED               hipMemoryTypeManaged
      stream.CapturedLaunch   PARAMS_BYTES          sizeof(hipKernelNodeParams)
      stream.CapturedLaunch   BLOCK                 offsetof(hipKernelNodeParams, blockDim)
      stream.CapturedLaunch   FUNCTION              offsetof(hipKernelNodeParams, func)
      stream.CapturedLaunch   GRID                  offsetof(hipKernelNodeParams, gridDim)
      stream.CapturedLaunch   ARGUMENTS             offsetof(hipKernelNodeParams, kernelParams)
      stream.CapturedLaunch   SHARED_BYTES          offsetof(hipKernelNodeParams, sharedMemBytes)
      captured.RepointedNode$OfFill PARAMS_BYTES    sizeof(hipMemsetParams)
      captured.RepointedNode$OfFill ELEMENT_SIZE    offsetof(hipMemsetParams, elementSize)
      captured.RepointedNode$OfFill HEIGHT          offsetof(hipMemsetParams, height)
      captured.RepointedNode$OfFill PITCH           offsetof(hipMemsetParams, pitch)
      captured.RepointedNode$OfFill VALUE           offsetof(hipMemsetParams, value)
      captured.RepointedNode$OfFill WIDTH           offsetof(hipMemsetParams, width)
      kernel.LaunchLimits     MAX_BLOCK_X           hipDeviceAttributeMaxBlockDimX
      kernel.LaunchLimits     MAX_GRID_X            hipDeviceAttributeMaxGridDimX
      kernel.LaunchLimits     MAX_THREADS           hipDeviceAttributeMaxThreadsPerBlock
      kernel.LaunchLimits     MAX_SHARED_BYTES      hipDeviceAttributeMaxSharedMemoryPerBlock
      kernel.Blas             HOST_POINTERS         rocblas_pointer_mode_host
      kernel.Blas             NO_ATOMICS            rocblas_atomics_not_allowed
      kernel.Blas             NO_TRANSPOSE          rocblas_operation_none
      kernel.Blas             TRANSPOSE             rocblas_operation_transpose
      kernel.Blas             F16                   rocblas_datatype_f16_r
      kernel.Blas             F32                   rocblas_datatype_f32_r
      kernel.Blas             BF16                  rocblas_datatype_bf16_r
      stream.CopyKind         TO_DEVICE             hipMemcpyHostToDevice
      stream.CopyKind         STAGED_TO_DEVICE      hipMemcpyHostToDevice
      stream.CopyKind         FROM_DEVICE           hipMemcpyDeviceToHost
      stream.CopyKind         STAGED_FROM_DEVICE    hipMemcpyDeviceToHost
      stream.CopyKind         IN_DEVICE             hipMemcpyDeviceToDevice
      stream.CopyKind         ON_HOST               hipMemcpyHostToHost
      """;

  /** What ends a device's use; {@code DeviceLoss} has just these. */
  private static final List<String> FATAL =
      List.of(
          "hipErrorECCNotCorrectable",
          "hipErrorIllegalAddress",
          "hipErrorLaunchTimeOut",
          "hipErrorAssert",
          "hipErrorLaunchFailure",
          "hipErrorUnknown");

  private JavaConstants() {}

  /** Two streams are macros of numbers, cast to a type of which no constant can be. */
  private static final String STREAMS_ARE_NUMBERS = "#define hipStream_t long";

  static void addTo(HeaderCheck check) {
    check.add(STREAMS_ARE_NUMBERS);
    TABLE
        .lines()
        .map(line -> line.split("\\s+", 3))
        .forEach(
            row -> check.equal(row[0] + "." + row[1], number(valueOf(row[0], row[1])), row[2]));
    Set<?> fatal = (Set<?>) valueOf("stream.DeviceLoss", "FATAL");
    check.equal("as many errors as in DeviceLoss.FATAL", fatal.size(), FATAL.size() + "");
    FATAL.forEach(error -> check.equal("DeviceLoss.FATAL", 1, isOneOf(error, fatal)));
  }

  private static String isOneOf(String error, Set<?> numbers) {
    StringBuilder any = new StringBuilder("false");
    numbers.forEach(number -> any.append(" || ").append(error).append(" == ").append(number));
    return any.toString();
  }

  /**
   * The constants of a class that stand for something in a header are few: an enum's have a code.
   */
  private static Object valueOf(String owner, String name) {
    try {
      Class<?> type = Class.forName("dev.millrace.gpu." + owner);
      Object value = field(type, name).get(null);
      return value instanceof Enum<?> one ? field(type, "code").get(one) : value;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("read the constant " + owner + "." + name, e);
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }
}
