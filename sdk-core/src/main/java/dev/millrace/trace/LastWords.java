package dev.millrace.trace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs in flight, in a mapped file that outlives the process: with {@code
 * -Dmillrace.lastWords=FILE} it says what was running when a fault of a device or of native code
 * ended the process without a word. Any thread; nothing is allocated and no lock is taken for a
 * run.
 *
 * <p>The file: a header of 64 bytes (magic, version, number of slots, process id, and one moment as
 * {@link System#nanoTime()} and as milliseconds since 1970), then slots of 128 bytes: run id,
 * stream id, begin in nanoseconds, length of the program's name, its first {@value #NAME_BYTES}
 * bytes. A slot with run 0 is free. All numbers are 8 bytes, little-endian.
 */
public final class LastWords {
  private static final System.Logger LOG = System.getLogger("dev.millrace.trace");
  private static final String PROPERTY = "millrace.lastWords";

  private static final ValueLayout.OfLong NUMBER =
      JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);
  private static final long MAGIC = 0x73_64_72_6f_57_74_73_4cL; // "LstWords"
  private static final long VERSION = 1;
  private static final long HEADER_BYTES = 64;
  private static final long SLOT_BYTES = 128;
  private static final int NAME_BYTES = 96;
  private static final int SLOTS = 1024;

  private static final int STREAM = 8;
  private static final int BEGIN = 16;
  private static final int NAME_LENGTH = 24;
  private static final int NAME = 32;

  private static final @Nullable LastWords ACTIVE = open(System.getProperty(PROPERTY));

  private final MemorySegment file;
  private final BitSet taken = new BitSet(SLOTS);

  private LastWords(MemorySegment file) {
    this.file = file;
  }

  /**
   * A run that was in flight.
   *
   * @param run its id
   * @param program its name, as far as it fits
   * @param stream the id of the stream to which it was submitted
   * @param begin when it was submitted
   */
  public record Entry(long run, String program, long stream, Instant begin) {}

  private static @Nullable LastWords open(@Nullable String name) {
    if (name == null) {
      return null;
    }
    try {
      return create(Path.of(name));
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "-D" + PROPERTY + "=" + name + " is ignored", e);
      return null;
    }
  }

  static LastWords create(Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      long bytes = HEADER_BYTES + SLOTS * SLOT_BYTES;
      MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
      long[] header = {
        MAGIC,
        VERSION,
        SLOTS,
        ProcessHandle.current().pid(),
        System.nanoTime(),
        System.currentTimeMillis()
      };
      for (int i = 0; i < header.length; i++) {
        file.set(NUMBER, (long) i * Long.BYTES, header[i]);
      }
      return new LastWords(file);
    }
  }

  /**
   * A program's name as slots hold it: made once for its runs.
   *
   * @param program the name
   * @return the bytes for {@link #begin}
   */
  public static byte[] nameOf(String program) {
    byte[] bytes = program.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= NAME_BYTES ? bytes : Arrays.copyOf(bytes, NAME_BYTES);
  }

  /**
   * Takes a slot, which its owner uses for one run after another.
   *
   * @return its number; -1 where nothing is to be written, or all slots are taken
   */
  public static int takeSlot() {
    return ACTIVE == null ? -1 : ACTIVE.take();
  }

  /**
   * Gives a slot back.
   *
   * @param slot what {@link #takeSlot} gave
   */
  public static void giveBackSlot(int slot) {
    if (ACTIVE != null && slot >= 0) {
      ACTIVE.giveBack(slot);
    }
  }

  /**
   * A run is about to be submitted.
   *
   * @param slot the run's; -1 for none
   * @param run its id
   * @param program what {@link #nameOf} gave
   * @param stream the id of the stream to which it is submitted
   */
  public static void begin(int slot, long run, byte[] program, long stream) {
    if (ACTIVE != null && slot >= 0) {
      ACTIVE.write(slot, run, program, stream);
    }
  }

  /**
   * The run is over.
   *
   * @param slot the run's; -1 for none
   */
  public static void end(int slot) {
    if (ACTIVE != null && slot >= 0) {
      ACTIVE.clear(slot);
    }
  }

  synchronized int take() {
    int slot = taken.nextClearBit(0);
    if (slot >= SLOTS) {
      return -1;
    }
    taken.set(slot);
    return slot;
  }

  synchronized void giveBack(int slot) {
    taken.clear(slot);
  }

  /** The run's id last: a slot that names a run is complete. */
  void write(int slot, long run, byte[] program, long stream) {
    long at = HEADER_BYTES + slot * SLOT_BYTES;
    file.set(NUMBER, at + STREAM, stream);
    file.set(NUMBER, at + BEGIN, System.nanoTime());
    file.set(NUMBER, at + NAME_LENGTH, program.length);
    MemorySegment.copy(program, 0, file, JAVA_BYTE, at + NAME, program.length);
    VarHandle.releaseFence();
    file.set(NUMBER, at, run);
  }

  void clear(int slot) {
    file.set(NUMBER, HEADER_BYTES + slot * SLOT_BYTES, 0);
  }

  /**
   * Reads what a process left behind, or is writing now.
   *
   * @param path the file
   * @return the runs in flight, oldest first
   * @throws IOException if it cannot be read, or was not written by this class
   */
  public static List<Entry> read(Path path) throws IOException {
    MemorySegment file = MemorySegment.ofArray(Files.readAllBytes(path));
    if (file.byteSize() < HEADER_BYTES
        || file.get(NUMBER, 0) != MAGIC
        || file.get(NUMBER, Long.BYTES) != VERSION) {
      throw new IOException(
          "read last words file=" + path + ": it was not written by this version");
    }
    List<Entry> runs = new ArrayList<>();
    for (long at = HEADER_BYTES; at + SLOT_BYTES <= file.byteSize(); at += SLOT_BYTES) {
      if (file.get(NUMBER, at) != 0) {
        runs.add(entry(file, at));
      }
    }
    runs.sort(java.util.Comparator.comparing(Entry::begin));
    return runs;
  }

  private static Entry entry(MemorySegment file, long at) {
    int length = Math.clamp(file.get(NUMBER, at + NAME_LENGTH), 0, NAME_BYTES);
    byte[] name = file.asSlice(at + NAME, length).toArray(JAVA_BYTE);
    long sinceNs = file.get(NUMBER, at + BEGIN) - file.get(NUMBER, 4L * Long.BYTES);
    Instant opened = Instant.ofEpochMilli(file.get(NUMBER, 5L * Long.BYTES));
    return new Entry(
        file.get(NUMBER, at),
        new String(name, StandardCharsets.UTF_8),
        file.get(NUMBER, at + STREAM),
        opened.plusNanos(sinceNs));
  }
}
