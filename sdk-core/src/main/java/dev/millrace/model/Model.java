package dev.millrace.model;

import dev.millrace.error.ModelException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A model, as a file or in memory. Making one reads nothing: {@link #check()} looks at the content
 * when a program is loaded. A file's weights in external files are found beside it. Any thread.
 */
public final class Model {
  /** The size at which protobuf, and with it an ONNX model in one piece, ends. */
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  private static final int CHUNK = 1 << 16;
  private static final int NAME_DIGITS = 12;

  private final @Nullable Path file;
  // Read-only; null where the model is a file.
  private final @Nullable MemorySegment memory;
  private volatile @Nullable String sha256;

  private Model(@Nullable Path file, @Nullable MemorySegment memory) {
    this.file = file;
    this.memory = memory;
  }

  /**
   * An ONNX model in a file.
   *
   * @param file its path
   * @return the model
   */
  public static Model onnx(Path file) {
    return new Model(Objects.requireNonNull(file, "file"), null);
  }

  /**
   * An ONNX model in an array.
   *
   * @param bytes the serialised model, copied
   * @return the model
   */
  public static Model onnx(byte[] bytes) {
    return new Model(null, MemorySegment.ofArray(bytes.clone()).asReadOnly());
  }

  /**
   * An ONNX model in memory, for example a mapped file.
   *
   * @param bytes the serialised model, not copied: it must stay as it is until every program that
   *     is made of it is loaded
   * @return the model
   */
  public static Model onnx(MemorySegment bytes) {
    return new Model(null, bytes.asReadOnly());
  }

  /**
   * Looks whether this can be a model at all, without reading what its parts hold; engines do so
   * before they load it. Damage within the parts is the engine's to find.
   *
   * @throws ModelException if the file is missing, a directory, not readable or empty, if there are
   *     more bytes than protobuf allows, or if they are not an ONNX model or only its beginning
   */
  public void check() {
    if (file != null) {
      checkFile(file);
    }
    long size = size();
    if (size == 0) {
      throw failure("it is empty");
    }
    if (size > MAX_BYTES) {
      throw failure(
          "bytes="
              + size
              + " is more than the "
              + MAX_BYTES
              + " that an ONNX model in one piece can have; store its weights as external data");
    }
    String complaint = look(size);
    if (complaint != null) {
      throw failure(complaint);
    }
  }

  private void checkFile(Path path) {
    if (Files.isDirectory(path)) {
      throw failure("it is a directory, expected a file");
    }
    if (Files.notExists(path)) {
      throw failure("there is no such file");
    }
    // Before anything opens it: opening a pipe would wait for its writer.
    if (!Files.isRegularFile(path)) {
      throw failure("it is not a regular file, or lies where this process may not look");
    }
    if (!Files.isReadable(path)) {
      throw failure("this process may not read the file");
    }
  }

  private @Nullable String look(long size) {
    try (InputStream in = open()) {
      return OnnxLook.complaint(in, size);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * The file, where the model is one.
   *
   * @return its path, or empty for a model in memory
   */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /**
   * The serialised model.
   *
   * @return a new array; of a file, what it holds now
   * @throws ModelException if the file cannot be read, or no array is that long
   */
  public byte[] bytes() {
    long size = size();
    if (size > Integer.MAX_VALUE - 8) {
      throw failure("bytes=" + size + " exceed a Java array");
    }
    if (memory != null) {
      return memory.toArray(ValueLayout.JAVA_BYTE);
    }
    try (InputStream in = open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * What messages and traces call the model.
   *
   * @return the path of a file as it was given; for a model in memory the beginning of its {@link
   *     #sha256()}
   */
  public String name() {
    return file != null ? file.toString() : "onnx:" + sha256().substring(0, NAME_DIGITS);
  }

  /**
   * The SHA-256 of the serialised model. Read once: a file that changes later keeps its first one.
   *
   * @return 64 lower-case hexadecimal digits
   * @throws ModelException if the file cannot be read
   */
  public String sha256() {
    String known = sha256;
    if (known == null) {
      known = digest();
      sha256 = known;
    }
    return known;
  }

  private String digest() {
    try (InputStream in = open()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] chunk = new byte[CHUNK];
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        digest.update(chunk, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw unreadable(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private long size() {
    if (memory != null) {
      return memory.byteSize();
    }
    try {
      return Files.size(path());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private InputStream open() throws IOException {
    return memory != null
        ? new SegmentStream(memory)
        : new BufferedInputStream(Files.newInputStream(path()));
  }

  private Path path() {
    return Objects.requireNonNull(file, "file");
  }

  private ModelException unreadable(IOException cause) {
    return new ModelException(name(), "the file cannot be read: " + cause, cause);
  }

  private ModelException failure(String reason) {
    return new ModelException(name(), reason);
  }

  @Override
  public String toString() {
    return "model=" + name();
  }
}
