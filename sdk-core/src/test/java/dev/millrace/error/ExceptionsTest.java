package dev.millrace.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.DeviceId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExceptionsTest {
  private static final DeviceId GPU = new DeviceId("gpu", 1);

  @Test
  void deviceExceptionNamesActDeviceFunctionAndError() {
    DeviceException e =
        DeviceException.of("allocate bytes=64", GPU, "hipMalloc", 2, "hipErrorOutOfMemory");

    assertThat(e)
        .hasMessage("allocate bytes=64 device=gpu:1: hipMalloc failed with hipErrorOutOfMemory");
    assertThat(e.act()).isEqualTo("allocate bytes=64");
    assertThat(e.device()).isEqualTo(GPU);
    assertThat(e.function()).isEqualTo("hipMalloc");
    assertThat(e.code()).isEqualTo(2);
    assertThat(e.codeName()).isEqualTo("hipErrorOutOfMemory");
  }

  @Test
  void deviceExceptionKeepsWhatTheRuntimeThrew() {
    Exception cause = new IOException("no space");
    DeviceException e = DeviceException.of("run id=7", GPU, "OrtSession.run", cause);

    assertThat(e)
        .hasMessage("run id=7 device=gpu:1: OrtSession.run failed with IOException: no space")
        .hasCause(cause);
    assertThat(e.code()).isEqualTo(-1);
  }

  @Test
  void missingLibrarySaysWhereItWasLookedForAndWhatToDo() {
    LibraryMissingException e =
        new LibraryMissingException("libfoo", List.of("/opt/a", "/opt/b"), "install foo");

    assertThat(e).hasMessage("libfoo is not available (tried /opt/a, /opt/b): install foo");
    assertThat(new LibraryMissingException("libfoo", List.of(), "install foo"))
        .hasMessage("libfoo is not available: install foo");
  }

  @Test
  void modelExceptionNamesTheModel() {
    ModelException e = new ModelException("a/b.onnx", "it is empty");

    assertThat(e).hasMessage("load model=a/b.onnx: it is empty");
    assertThat(e.model()).isEqualTo("a/b.onnx");
    assertThat(e.reason()).isEqualTo("it is empty");
  }

  @Test
  void allComeBackWholeFromSerialisation() throws Exception {
    List<String> places = new ArrayList<>(List.of("/opt/a"));
    LibraryMissingException missing = new LibraryMissingException("libfoo", places, "install it");
    places.clear();

    assertThat(copy(missing).tried()).containsExactly("/opt/a");
    assertThat(copy(missing).remedy()).isEqualTo("install it");
    assertThat(copy(missing).library()).isEqualTo("libfoo");
    assertThat(copy(DeviceException.of("act", GPU, "f", 1, "E")).device()).isEqualTo(GPU);
    assertThat(copy(new ModelException("m", "r")).reason()).isEqualTo("r");
  }

  @SuppressWarnings("unchecked") // it reads what it has just written
  private static <T extends Exception> T copy(T exception) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(exception);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }
}
