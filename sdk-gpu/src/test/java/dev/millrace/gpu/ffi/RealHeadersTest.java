package dev.millrace.gpu.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gpu.ffi.BoundFunctions.Bound;
import dev.millrace.gpu.testing.Command;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Java and the stand-ins believe of AMD's libraries, compiled against their headers as C++.
 */
@NeedsRealLibraries
@DisplayName("AMD's headers")
final class RealHeadersTest {

  private static void assertCompiles(HeaderCheck check) {
    Command compiler = check.compile();
    assertThat(compiler.err()).isEmpty();
    assertThat(compiler.exit()).isZero();
  }

  @Test
  void declareEachFunctionAsItIsBound() {
    List<Bound> bound = BoundFunctions.all();
    assertThat(bound).hasSizeGreaterThan(80);
    HeaderCheck check = new HeaderCheck();
    bound.forEach(one -> check.function(one.prototype()));
    assertCompiles(check);
  }

  @Test
  void haveTheNumbersSizesAndOffsetsThatJavaUses() {
    HeaderCheck check = new HeaderCheck();
    JavaConstants.addTo(check);
    assertCompiles(check);
  }

  @Test
  void haveTheNumbersSizesAndOffsetsThatTheStandInForHipUses() {
    StandInHeaders headers =
        StandInHeaders.read(
            List.of(
                "common/hip_errors.h",
                "common/hip_abi.h",
                "common/hip_attributes.h",
                "common/hip_device_prop.h"),
            "common/hip_prototypes.h");
    assertThat(headers.size()).isGreaterThan(200);
    HeaderCheck check = new HeaderCheck();
    headers.addTo(check);
    assertCompiles(check);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hipError_t hipMalloc(int** ptr, size_t size)",
        "hipError_t hipStreamQuery(hipEvent_t stream)",
        "int hipStreamQuery(hipStream_t stream)",
        "hipError_t hipStreamQuery(hipStream_t stream, int flags)",
        "rocblas_status rocblas_set_stream(rocblas_handle handle, hipEvent_t stream)",
        "hipError_t hipStreamAsk(hipStream_t stream)"
      })
  void doNotCompileWithAFunctionThatIsBoundWrongly(String prototype) {
    Command compiler = new HeaderCheck().function(Prototype.of(prototype)).compile();
    assertThat(compiler.exit()).isNotZero();
    assertThat(compiler.err()).contains(Prototype.of(prototype).name());
  }

  @ParameterizedTest
  @CsvSource({"101, hipErrorNoDevice", "1471, sizeof(hipDeviceProp_tR0600)", "0, hipErrorNone"})
  void doNotCompileWithANumberThatIsAnother(long number, String expression) {
    Command compiler = new HeaderCheck().equal("number", number, expression).compile();
    assertThat(compiler.exit()).isNotZero();
    assertThat(compiler.err()).contains(expression);
  }

  @Test
  void doNotCompileWithATypeThatJavaPassesOtherwise() {
    Prototype prototype = Prototype.of("hipError_t hipInit(long flags)");
    Command compiler = new HeaderCheck().function(prototype).compile();
    assertThat(compiler.exit()).isNotZero();
    assertThat(compiler.err()).contains("long as Java passes it");
  }
}
