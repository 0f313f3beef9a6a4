package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class GemmTest {
  @Test
  void packedMatricesNeedTheirOwnSizes() {
    Gemm form = Gemm.of(2, 3, 4);
    assertThat(form.elements(form.a())).isEqualTo(8);
    assertThat(form.elements(form.b())).isEqualTo(12);
    assertThat(form.elements(form.c())).isEqualTo(6);
  }

  @Test
  void theLastRowNeedsNoMoreThanItsColumns() {
    Gemm form = Gemm.of(2, 3, 4).leading(10, 20, 30);
    assertThat(form.elements(form.a())).isEqualTo(14);
    assertThat(form.elements(form.b())).isEqualTo(63);
    assertThat(form.elements(form.c())).isEqualTo(33);
  }

  @Test
  void batchesFollowOneAnotherAtTheirStrides() {
    Gemm form = Gemm.of(2, 3, 4).batched(5);
    assertThat(form.elements(form.c())).isEqualTo(30);
    Gemm shared = form.strides(0, 12, 100);
    assertThat(shared.elements(shared.a())).isEqualTo(8);
    assertThat(shared.elements(shared.c())).isEqualTo(406);
  }

  @Test
  void impossibleLeadingDimensionsAreRefusedByName() {
    assertThatThrownBy(() -> Gemm.of(2, 3, 4).leading(3, 3, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("given lda=3, expected 4 or more");
    assertThatThrownBy(() -> Gemm.of(2, 3, 4).leading(4, 2, 3))
        .hasMessageContaining("given ldb=2, expected 3 or more");
    assertThatThrownBy(() -> Gemm.of(2, 3, 4).leading(4, 3, 2))
        .hasMessageContaining("given ldc=2, expected 3 or more");
    assertThat(Gemm.of(2, 3, 4).transposingA().leading(2, 3, 3).a().leading()).isEqualTo(2);
  }

  @Test
  void impossibleSizesAreRefusedByName() {
    assertThatThrownBy(() -> Gemm.of(0, 1, 1)).hasMessageContaining("m=0");
    assertThatThrownBy(() -> Gemm.of(1, -1, 1)).hasMessageContaining("n=-1");
    assertThatThrownBy(() -> Gemm.of(1, 1, 0)).hasMessageContaining("k=0");
    assertThatThrownBy(() -> Gemm.of(1, 1, 1).batched(0)).hasMessageContaining("batches=0");
    assertThatThrownBy(() -> Gemm.of(2, 2, 2).batched(2).strides(4, 4, 3))
        .hasMessageContaining("strideC=3");
    assertThatThrownBy(() -> Gemm.of(2, 2, 2).batched(2).strides(-1, 4, 4))
        .hasMessageContaining("strideA=-1");
  }
}
