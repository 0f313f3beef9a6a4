package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GpuChecksTest {
  @TempDir private Path root;

  private Map<String, String> results(Map<String, String> environment) {
    return new GpuChecks(root, environment).results();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void machineWithAnMi300() throws IOException {
    write("dev/kfd", "");
    write("dev/dri/renderD128", "");
    write("sys/module/amdgpu/version", "6.10.5\n");
    write("opt/rocm/.info/version", "6.4.3-127\n");
    write(
        "sys/class/kfd/kfd/topology/nodes/0/properties",
        "cpu_cores_count 64\ngfx_target_version 0\n");
    write(
        "sys/class/kfd/kfd/topology/nodes/1/properties",
        "simd_count 304\ngfx_target_version 90402\n");
  }

  @Test
  void saysThatThereIsNoDriver() {
    assertThat(results(Map.of()))
        .containsKeys("driver", "hardware queues", "serialising", "visibility")
        .doesNotContainKeys("access", "rocBLAS kernels")
        .extractingByKey("driver")
        .asString()
        .contains("/dev/kfd");
  }

  @Test
  void readsVersionsAndArchitectures() throws IOException {
    machineWithAnMi300();
    assertThat(results(Map.of()))
        .containsEntry("architectures", "gfx942")
        .containsEntry("access", "may be read and written")
        .extractingByKey("driver")
        .asString()
        .contains("amdgpu 6.10.5", "ROCm 6.4.3-127");
  }

  @Test
  void writesTheSteppingInHexadecimal() throws IOException {
    machineWithAnMi300();
    write("sys/class/kfd/kfd/topology/nodes/1/properties", "gfx_target_version 90010\n");
    assertThat(results(Map.of())).containsEntry("architectures", "gfx90a");
  }

  @Test
  void missesKernelsUntilTheyAreThere() throws IOException {
    machineWithAnMi300();
    assertThat(results(Map.of()).get("rocBLAS kernels")).contains("none for gfx942");
    write("opt/rocm/lib/rocblas/library/TensileLibrary_lazy_gfx942.dat", "");
    assertThat(results(Map.of())).containsEntry("rocBLAS kernels", "there for each architecture");
  }

  @Test
  void missesMiopensCompiler() throws IOException {
    machineWithAnMi300();
    assertThat(results(Map.of()).get("MIOpen's compiler")).contains("rocm-llvm");
    write("opt/rocm/llvm/bin/clang++", "");
    assertThat(root.resolve("opt/rocm/llvm/bin/clang++").toFile().setExecutable(true)).isTrue();
    write("opt/rocm/lib/libamdhip64.so", "");
    assertThat(results(Map.of()).get("MIOpen's compiler")).startsWith("there: ");
  }

  @Test
  void namesWhatSerialises() {
    assertThat(results(Map.of("HIP_LAUNCH_BLOCKING", "1", "AMD_SERIALIZE_KERNEL", "0")))
        .extractingByKey("serialising")
        .asString()
        .contains("HIP_LAUNCH_BLOCKING=1")
        .doesNotContain("AMD_SERIALIZE_KERNEL");
  }

  @Test
  void namesWhatHidesDevicesOrLimitsQueues() {
    Map<String, String> results =
        results(Map.of("ROCR_VISIBLE_DEVICES", "1", "GPU_MAX_HW_QUEUES", "8"));
    assertThat(results.get("visibility")).contains("ROCR_VISIBLE_DEVICES=1");
    assertThat(results.get("hardware queues")).contains("GPU_MAX_HW_QUEUES=8");
  }
}
