package dev.millrace.gpu.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiled sources on disk, by a digest of all that decides the code. A file begins with the digest
 * of the rest; one that is damaged counts as absent and is replaced. Files appear whole, by an
 * atomic move, so that several processes may share the folder. A folder that cannot be written
 * costs time, never a failure.
 */
final class KernelCache {
  /** A folder, or {@code off}. */
  static final String PROPERTY = "millrace.kernelCache";

  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu.kernel");

  /** Changes when the form of the files does. */
  private static final String FORM = "millrace kernel 1";

  private static final int DIGEST_BYTES = 32;

  private final @Nullable Path folder;

  KernelCache(@Nullable Path folder) {
    this.folder = folder;
  }

  /** As the property and the environment say. */
  static KernelCache ofProcess() {
    String chosen = System.getProperty(PROPERTY);
    if (chosen != null) {
      return new KernelCache(chosen.equals("off") ? null : Path.of(chosen));
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    Path parent =
        caches == null || caches.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(caches);
    return new KernelCache(parent.resolve("millrace").resolve("kernels"));
  }

  /** What is there for the source, else what the compiler makes, which is kept. */
  CompiledSource get(
      KernelSource source,
      List<String> options,
      String version,
      Supplier<CompiledSource> compiler) {
    if (folder == null) {
      return compiler.get();
    }
    Path file = folder.resolve(key(source, options, version) + ".hsaco");
    Optional<CompiledSource> kept = read(file);
    if (kept.isPresent()) {
      return kept.get();
    }
    CompiledSource made = compiler.get();
    write(file, made);
    return made;
  }

  /** Each part with its length before it, so that no two sources run into one text. */
  static String key(KernelSource source, List<String> options, String version) {
    MessageDigest digest = sha256();
    add(digest, FORM, version, source.name(), source.text());
    add(digest, options.toArray(String[]::new));
    source.headers().forEach((name, text) -> add(digest, name, text));
    add(digest, source.kernels().toArray(String[]::new));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, String... parts) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, parts.length));
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
  }

  private static Optional<CompiledSource> read(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        return Optional.empty();
      }
      byte[] all = Files.readAllBytes(file);
      byte[] content = Arrays.copyOfRange(all, Math.min(DIGEST_BYTES, all.length), all.length);
      if (!Arrays.equals(Arrays.copyOf(all, DIGEST_BYTES), sha256().digest(content))) {
        throw new IOException("it is damaged");
      }
      return Optional.of(CompiledSource.of(content));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "compile again: " + file + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private static void write(Path file, CompiledSource made) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      Files.createDirectories(folder);
      Path temporary = Files.createTempFile(folder, "new", ".tmp");
      try {
        byte[] content = made.toBytes();
        byte[] digest = sha256().digest(content);
        byte[] all = Arrays.copyOf(digest, DIGEST_BYTES + content.length);
        System.arraycopy(content, 0, all, DIGEST_BYTES, content.length);
        Files.write(temporary, all);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "keep compiled source in " + file, e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
