package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.binding.StreamBinding;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.gpu.testing.NeedsTwoDevices;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@NeedsHipOnCpu
final class BlasTest {
  private Device device;
  private Blas blas;

  @BeforeEach
  void open() {
    HipOnCpu.reset();
    device = Device.open("gpu:0");
    blas = Blas.create(device, 1 << 20);
  }

  @AfterEach
  void close() {
    blas.close();
    device.close();
    assertThat(HipOnCpu.live("bytes")).isZero();
  }

  private static float[] numbers(int count) {
    float[] numbers = new float[count];
    IntStream.range(0, count).forEach(i -> numbers[i] = (i * 7 % 11) - 5);
    return numbers;
  }

  private Tensor filled(DataType type, float[] values) {
    Tensor tensor = device.allocate(type, Shape.of(values.length));
    tensor.write(values);
    return tensor;
  }

  /** In double, with the indices written out. */
  private static float[] expected(Gemm form, float[] a, float[] b, float[] c) {
    float[] result = c.clone();
    for (int batch = 0; batch < form.batches(); batch++) {
      for (int i = 0; i < form.m(); i++) {
        for (int j = 0; j < form.n(); j++) {
          double sum = 0;
          for (int l = 0; l < form.k(); l++) {
            sum += (double) at(form.a(), a, batch, i, l) * at(form.b(), b, batch, l, j);
          }
          int place = (int) (batch * form.c().stride()) + i * form.c().leading() + j;
          double before = form.beta() == 0 ? 0 : form.beta() * c[place];
          result[place] = (float) (form.alpha() * sum + before);
        }
      }
    }
    return result;
  }

  private static float at(Gemm.Operand operand, float[] values, int batch, int row, int column) {
    int r = operand.transposed() ? column : row;
    int c = operand.transposed() ? row : column;
    return values[(int) (batch * operand.stride()) + r * operand.leading() + c];
  }

  private void assertProduct(Gemm form, DataType type) {
    float[] a = numbers((int) form.elements(form.a()));
    float[] b = numbers((int) form.elements(form.b()) + 3);
    float[] c = numbers((int) form.elements(form.c()));
    try (Tensor ta = filled(type, a);
        Tensor tb = filled(type, b);
        Tensor tc = filled(type, c)) {
      blas.gemm(form, ta, tb, tc);
      device.nullStream().synchronize();
      assertThat(tc.readFloats()).containsExactly(expected(form, a, b, c), Offset.offset(1e-3f));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT", "FLOAT16", "BFLOAT16"})
  void multipliesWhatLiesRowAfterRow(DataType type) {
    assertProduct(Gemm.of(2, 3, 4), type);
    assertProduct(Gemm.of(1, 1, 1), type);
  }

  @Test
  void takesTranspositionsLeadingDimensionsAndFactors() {
    assertProduct(Gemm.of(2, 3, 4).transposingA(), DataType.FLOAT);
    assertProduct(Gemm.of(2, 3, 4).transposingB(), DataType.FLOAT);
    assertProduct(Gemm.of(2, 3, 4).transposingA().transposingB(), DataType.FLOAT);
    assertProduct(Gemm.of(2, 3, 4).leading(6, 5, 7).scaled(0.5f, 2), DataType.FLOAT);
    assertProduct(Gemm.of(3, 2, 4).transposingA().leading(5, 2, 4), DataType.FLOAT);
  }

  @Test
  void multipliesBatches() {
    assertProduct(Gemm.of(2, 3, 4).batched(3), DataType.FLOAT);
    assertProduct(Gemm.of(2, 3, 4).batched(3).strides(0, 12, 10), DataType.FLOAT);
  }

  @Test
  void worksOnTheStreamOfItsContextAndGoesBack() {
    try (StreamContext context = device.newContext();
        DeviceStream mine = device.newStream();
        Tensor a = filled(DataType.FLOAT, numbers(4));
        Tensor c = filled(DataType.FLOAT, numbers(4))) {
      context.attach(blas);
      try (StreamBinding _ = context.bind(mine)) {
        assertThat(blas.stream()).isEqualTo(mine.handle());
        blas.gemm(Gemm.of(2, 2, 2), a, a, c);
      }
      assertThat(blas.stream().isNull()).isTrue();
      mine.synchronize();
    }
  }

  @Test
  @NeedsTwoDevices
  void tensorsThatDoNotFitAreRefusedByName() {
    Gemm form = Gemm.of(2, 2, 2);
    try (Tensor good = filled(DataType.FLOAT, numbers(4));
        Tensor half = filled(DataType.FLOAT16, numbers(4));
        Tensor small = filled(DataType.FLOAT, numbers(3));
        Tensor whole = device.upload(new int[4], Shape.of(4));
        Device other = Device.open("gpu:1");
        Tensor foreign = other.allocate(DataType.FLOAT, Shape.of(4))) {
      assertThatThrownBy(() -> blas.gemm(form, whole, good, good))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("given a=INT32");
      assertThatThrownBy(() -> blas.gemm(form, good, half, good))
          .hasMessageContaining("given b=FLOAT16")
          .hasMessageContaining("expected type=FLOAT");
      assertThatThrownBy(() -> blas.gemm(form, good, good, small))
          .hasMessageContaining("given c=")
          .hasMessageContaining("expected elements=4 or more");
      assertThatThrownBy(() -> blas.gemm(form, good, foreign, good))
          .hasMessageContaining("given b=")
          .hasMessageContaining("expected a tensor of gpu:0");
      assertThat(HipOnCpu.calls("rocblas_gemm_ex")).isZero();
    }
  }

  @Test
  void aClosedHandleIsRefused() {
    blas.close();
    try (Tensor a = filled(DataType.FLOAT, numbers(4))) {
      assertThatThrownBy(() -> blas.gemm(Gemm.of(2, 2, 2), a, a, a))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rocBLAS handle is closed");
    }
  }
}
