package dev.millrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.gpu.kernel.Blas;
import dev.millrace.gpu.kernel.Gemm;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.HipOnCpu.Call;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows 2, 6, 8, 9, 10 and 17 with AMD's own rocBLAS, hipBLAS and MIOpen, by their own getters. */
@NeedsRealLibraries
@Timeout(120)
@DisplayName("Handles of AMD's libraries")
final class RealHandlesTest {
  private static RealHandles handles;

  @BeforeAll
  static void makeHandles() {
    handles = RealHandles.onDevice1();
  }

  @AfterAll
  static void giveHandlesBack() {
    handles.close();
  }

  private RealBench bench;

  @BeforeEach
  void open() {
    bench = new RealBench(handles);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void areOnTheBoundStreamAlsoInABindingAndDuringRunsAndThenWhereTheyWere() {
    bench.assertHandlesAreOn(bench.home);
    try (StreamBinding _ = bench.context.bind(bench.s)) {
      bench.assertHandlesAreOn(bench.s);
      try (StreamBinding _ = bench.context.bind(bench.t)) {
        bench.run();
        bench.assertHandlesAreOn(bench.t);
      }
      bench.assertHandlesAreOn(bench.s);
      bench.run();
      bench.assertHandlesAreOn(bench.s);
    }
    bench.assertHandlesAreOn(bench.home);
    bench.run();
    bench.assertHandlesAreOn(bench.home);
  }

  @Test
  void areToldNothingWhenTheStreamIsBoundThatIsBoundAlready() {
    try (StreamBinding _ = bench.context.bind(bench.s)) {
      List<Call> calls = RealBench.callsOf(() -> bench.context.bind(bench.s).close());
      assertThat(calls).filteredOn(Call::isOfALibrary).isEmpty();
      bench.assertHandlesAreOn(bench.s);
    }
  }

  @Test
  void areOnTheOwnStreamAfterwardsIfTheyWereMadeForTheContextWhileItWasBound() {
    try (RealHandles late = new RealHandles(bench.device)) {
      try (StreamBinding _ = bench.context.bind(bench.s)) {
        late.participants().forEach(bench.context::attachNew);
        assertThat(late.streams()).containsOnly(bench.s.handle());
      }
      assertThat(late.streams()).containsOnly(bench.context.own().handle());
      late.participants().forEach(bench.context::detach);
    }
  }

  @Test
  void doNothingDuringAnExternalRunOfAContextThatIsBound() {
    try (StreamBinding _ = bench.context.bind(bench.s)) {
      List<Call> calls = RealBench.callsOf(bench::run);
      assertThat(calls).isNotEmpty().noneMatch(Call::isOfALibrary);
      assertFrugal(calls);
    }
  }

  /** What the SDK calls itself; the libraries' calls are in the list of the next test. */
  @Test
  void makeTheSdkNeitherWaitNorAskNorTouchTheNullStream() {
    List<Call> calls = RealBench.callsOf(bench::run);
    assertThat(calls).anyMatch(Call::isOfALibrary);
    assertFrugal(calls.stream().filter(call -> !call.isOfALibrary()).toList());
  }

  private static void assertFrugal(List<Call> calls) {
    assertThat(calls)
        .noneMatch(Call::isOnNullStream)
        .extracting(Call::function)
        .noneMatch(function -> function.endsWith("Synchronize") || function.endsWith("Query"))
        .noneMatch(function -> function.contains("Malloc") || function.contains("Free"));
  }

  @Test
  void callHipAsWrittenDownWhenTheyAreMoved() throws IOException {
    List<String> lines = new ArrayList<>();
    for (StreamBound handle : bench.handles.participants()) {
      String library = handle.name().replaceAll(" .*", "");
      lines.add(library + " from home to s");
      lines.addAll(libraryCalls(handle, bench.s));
      lines.add(library + " from s to s");
      lines.addAll(libraryCalls(handle, bench.s));
      handle.setStream(bench.home.handle());
    }
    Files.write(Path.of(System.getProperty("basedir"), "target", "library-calls.txt"), lines);
    lines.forEach(System.out::println);
    assertThat(lines).isEqualTo(resource("library-calls.txt").lines().toList());
  }

  private List<String> libraryCalls(StreamBound handle, DeviceStream to) {
    return RealBench.callsOf(() -> handle.setStream(to.handle())).stream()
        .filter(Call::isOfALibrary)
        .map(call -> "  " + library(call) + " " + call.function() + " " + nameOf(call.stream()))
        .toList();
  }

  private static String library(Call call) {
    return call.caller().replaceAll("\\.so.*", "");
  }

  private String nameOf(String stream) {
    if (stream.equals("0x" + Long.toHexString(bench.s.handle().address()))) {
      return "s";
    }
    boolean isHome = stream.equals("0x" + Long.toHexString(bench.home.handle().address()));
    return isHome ? "home" : stream;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = RealHandlesTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The kernels are for a GPU: that they are launched is seen, what they compute is not. */
  @Test
  void launchAProductOnTheBoundStreamAndNothingOnTheNullStream() {
    Shape square = Shape.of(64 * 64);
    try (Blas blas = Blas.create(bench.device);
        Tensor a = bench.device.allocate(DataType.FLOAT, square);
        Tensor b = bench.device.allocate(DataType.FLOAT, square);
        Tensor c = bench.device.allocate(DataType.FLOAT, square)) {
      bench.context.attachNew(blas);
      try (StreamBinding _ = bench.context.bind(bench.s)) {
        assertThat(blas.stream()).isEqualTo(bench.s.handle());
        blas.gemm(Gemm.of(64, 64, 64), a, b, c); // loads the kernels
        List<Call> calls = RealBench.callsOf(() -> blas.gemm(Gemm.of(64, 64, 64), a, b, c));
        String s = "0x" + Long.toHexString(bench.s.handle().address());
        assertThat(calls)
            .filteredOn(call -> call.function().contains("LaunchKernel"))
            .isNotEmpty()
            .allMatch(call -> call.stream().equals(s) && call.caller().contains("rocblas"));
        assertThat(calls).noneMatch(Call::isOnNullStream);
      }
      bench.s.synchronize();
      bench.context.detach(blas);
    }
    assertThat(HipOnCpu.calls("hipDeviceSynchronize")).isZero();
  }
}
