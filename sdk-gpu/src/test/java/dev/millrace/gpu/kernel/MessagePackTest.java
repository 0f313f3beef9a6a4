package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes are those of the examples in the format's specification. */
final class MessagePackTest {
  private static MessagePack of(String hex) {
    return new MessagePack(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
  }

  @ParameterizedTest
  @CsvSource({
    "07, 7",
    "7f, 127",
    "cc80, 128",
    "cd0100, 256",
    "ce00010000, 65536",
    "cf000000007fffffff, 2147483647",
    "d07f, 127",
    "d10100, 256",
    "d200010000, 65536",
    "d30000000000010000, 65536"
  })
  void readsNumbersOfEveryWidth(String hex, int expected) throws MessagePack.Malformed {
    assertThat(of(hex).number()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ff",
        "d0ff",
        "cfffffffffffffffff",
        "ce80000000",
        "a161",
        "c3",
        "cd01",
        "cf00",
        ""
      })
  void refusesWhatIsNoSizeOrOffset(String hex) {
    assertThatThrownBy(() -> of(hex).number()).isInstanceOf(MessagePack.Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a3616263", "d903616263", "da0003616263", "db00000003616263"})
  void readsTextsOfEveryWidth(String hex) throws MessagePack.Malformed {
    assertThat(of(hex).text()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a36162", "d9ff61", "dbffffffff61", "a1ff", "07"})
  void refusesTextsThatAreNotThereOrNotUtf8(String hex) {
    assertThatThrownBy(() -> of(hex).text()).isInstanceOf(MessagePack.Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9f", "dcffff00", "ddffffffff00", "81", "de00020102", "dfffffffff00"})
  void refusesCountsForWhichThereAreTooFewBytes(String hex) {
    assertThatThrownBy(
            () -> {
              MessagePack in = of(hex);
              if (hex.startsWith("9") || hex.startsWith("dc") || hex.startsWith("dd")) {
                in.array();
              } else {
                in.map();
              }
            })
        .isInstanceOf(MessagePack.Malformed.class)
        .hasMessageContaining("bytes are left");
  }

  /** Each value stands before a 7, at which the reader must arrive. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "c0",
        "c2",
        "c3",
        "05",
        "e0",
        "a26162",
        "9201a161",
        "820102a16103",
        "c403010203",
        "c50001aa",
        "c600000001aa",
        "c70105aa",
        "c8000105aa",
        "c90000000105aa",
        "ca3f800000",
        "cb3ff0000000000000",
        "cc01",
        "cd0001",
        "ce00000001",
        "cf0000000000000001",
        "d001",
        "d10001",
        "d200000001",
        "d30000000000000001",
        "d40501",
        "d5050102",
        "d60501020304",
        "d7050102030405060708",
        "d805000102030405060708090a0b0c0d0e0f",
        "d90161",
        "da000161",
        "db0000000161",
        "dc000101",
        "dd0000000101",
        "de00010102",
        "df000000010102",
        "9191919191919191c0"
      })
  void passesOverEveryKindOfValue(String hex) throws MessagePack.Malformed {
    MessagePack in = of(hex + "07");
    in.skip();
    assertThat(in.number()).isEqualTo(7);
  }

  @Test
  void refusesTheTagThatIsNeverUsed() {
    assertThatThrownBy(() -> of("c1").skip()).isInstanceOf(MessagePack.Malformed.class);
  }

  @Test
  void deepNestingNeedsNoStack() throws MessagePack.Malformed {
    byte[] nested = new byte[1_000_000];
    Arrays.fill(nested, (byte) 0x91);
    nested[nested.length - 1] = 0;
    new MessagePack(ByteBuffer.wrap(nested)).skip();
  }
}
