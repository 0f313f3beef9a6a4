package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class KernelSourceTest {
  @Test
  void readsAResourceAndTakesItsName() {
    KernelSource source = KernelSource.fromResource(KernelSourceTest.class, "parameters.hip");
    assertThat(source.name()).isEqualTo("parameters.hip");
    assertThat(source.text()).contains("everyKind");
  }

  @Test
  void aResourceThatIsNotThereIsRefusedByName() {
    assertThatThrownBy(() -> KernelSource.fromResource(KernelSourceTest.class, "none.hip"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("resource=none.hip");
  }

  @Test
  void eachWithLeavesTheFirstAsItWas() {
    KernelSource first = KernelSource.of("a.hip", "x");
    KernelSource more =
        first.withDefine("N", "4").withOption("-O2").withHeader("h.h", "y").withKernel("f<int>");
    assertThat(first.options()).isEmpty();
    assertThat(more.options()).containsExactly("-DN=4", "-O2");
    assertThat(more.headers()).containsEntry("h.h", "y");
    assertThat(more.kernels()).containsExactly("f<int>");
  }

  @Test
  void blankAndBrokenTextsAreRefused() {
    assertThatThrownBy(() -> KernelSource.of(" ", "x")).hasMessageContaining("name is blank");
    assertThatThrownBy(() -> KernelSource.of("a", "")).hasMessageContaining("text is blank");
    assertThatThrownBy(() -> KernelSource.of("a", "x\0y")).hasMessageContaining("zero character");
  }
}
