package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataTypeTest {

  @Test
  void hasTheNamesAndNumbersOfOnnx() {
    String numbers =
        Arrays.stream(DataType.values())
            .map(type -> type + " = " + type.onnx())
            .collect(Collectors.joining("; "));

    assertThat(numbers)
        .isEqualTo(
            "FLOAT = 1; UINT8 = 2; INT8 = 3; UINT16 = 4; INT16 = 5; INT32 = 6; INT64 = 7;"
                + " BOOL = 9; FLOAT16 = 10; DOUBLE = 11; UINT32 = 12; UINT64 = 13; COMPLEX64 = 14;"
                + " COMPLEX128 = 15; BFLOAT16 = 16; FLOAT8E4M3FN = 17; FLOAT8E4M3FNUZ = 18;"
                + " FLOAT8E5M2 = 19; FLOAT8E5M2FNUZ = 20; UINT4 = 21; INT4 = 22; FLOAT4E2M1 = 23;"
                + " FLOAT8E8M0 = 24; UINT2 = 25; INT2 = 26");
  }

  @ParameterizedTest
  @EnumSource
  void isFoundByItsNumber(DataType type) {
    assertThat(DataType.fromOnnx(type.onnx())).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource({
    "0, UNDEFINED",
    "8, STRING has no memory layout",
    "27, expected one of 1=FLOAT",
    "-1, expected one of 1=FLOAT"
  })
  void refusesNumbersWithoutALayout(int number, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataType.fromOnnx(number))
        .withMessageContaining("type=" + number)
        .withMessageContaining(reason);
  }

  @ParameterizedTest
  @EnumSource
  void hasTheBitsThatItsNameSays(DataType type) {
    int expected =
        switch (type) {
          case FLOAT -> 32;
          case DOUBLE -> 64;
          case BOOL -> 8;
          case FLOAT4E2M1 -> 4;
          default ->
              type.name().startsWith("FLOAT8")
                  ? 8
                  : Integer.parseInt(type.name().replaceAll("\\D", ""));
        };

    assertThat(type.bits()).isEqualTo(expected);
  }

  @Test
  void countsAsFloatWhatHasAnExponentAndIsReal() {
    EnumSet<DataType> floats = EnumSet.noneOf(DataType.class);
    Arrays.stream(DataType.values()).filter(DataType::isFloat).forEach(floats::add);

    assertThat(floats).allMatch(type -> type.name().matches("B?FLOAT.*|DOUBLE"));
    assertThat(EnumSet.complementOf(floats))
        .allMatch(type -> type.name().matches("U?INT.*|BOOL|COMPLEX.*"));
  }

  @ParameterizedTest
  @CsvSource({
    "INT4, 0, 0",
    "INT4, 1, 1",
    "UINT4, 2, 1",
    "FLOAT4E2M1, 3, 2",
    "INT2, 1, 1",
    "INT2, 4, 1",
    "UINT2, 5, 2",
    "BOOL, 7, 7",
    "FLOAT16, 3, 6",
    "FLOAT, 0, 0",
    "FLOAT, 3, 12",
    "INT64, 5, 40",
    "COMPLEX64, 2, 16",
    "COMPLEX128, 2, 32",
    "INT8, 9223372036854775807, 9223372036854775807",
    "INT4, 9223372036854775807, 4611686018427387904",
    "DOUBLE, 1152921504606846975, 9223372036854775800"
  })
  void packsElements(DataType type, long elements, long bytes) {
    assertThat(type.byteSize(elements)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "DOUBLE, 1152921504606846976",
    "FLOAT16, 4611686018427387904",
    "COMPLEX128, 9223372036854775807"
  })
  void refusesASizeBeyondALong(DataType type, long elements) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.byteSize(elements))
        .withMessageContaining("elements=" + elements)
        .withMessageContaining(type.name());
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void refusesANegativeNumberOfElements(long elements) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataType.INT4.byteSize(elements))
        .withMessageContaining("elements=" + elements);
  }

  @ParameterizedTest
  @CsvSource({
    "INT2, 1",
    "INT4, 1",
    "BOOL, 1",
    "FLOAT16, 2",
    "FLOAT, 4",
    "DOUBLE, 8",
    "COMPLEX64, 8",
    "COMPLEX128, 8"
  })
  void isAlignedAsInC(DataType type, int bytes) {
    assertThat(type.byteAlignment()).isEqualTo(bytes);
  }
}
