package dev.millrace.gpu.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the note with the kernels' description in a 64-bit little-endian ELF file. */
final class ElfNotes {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2, 1};
  private static final byte[] OWNER = "AMDGPU\0".getBytes(StandardCharsets.US_ASCII);
  private static final int NT_AMDGPU_METADATA = 32;

  private static final int HEADER_BYTES = 64;
  private static final int NOTE_HEADER_BYTES = 12;

  /** Where a table of the file header is, and what an entry of it says where. */
  private record Table(
      int start, int entrySize, int count, int noteType, int type, int offset, int size) {}

  private static final Table SEGMENTS = new Table(0x20, 0x36, 0x38, 4, 0, 8, 0x20);
  private static final Table SECTIONS = new Table(0x28, 0x3a, 0x3c, 7, 4, 0x18, 0x20);

  private final ByteBuffer file;

  private ElfNotes(byte[] file) {
    this.file = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The note's content. */
  static ByteBuffer metadata(byte[] file) throws MessagePack.Malformed {
    if (file.length < HEADER_BYTES || !startsWith(file, MAGIC)) {
      throw new MessagePack.Malformed("no 64-bit little-endian ELF file");
    }
    ElfNotes notes = new ElfNotes(file);
    ByteBuffer found = notes.in(SEGMENTS);
    if (found == null) {
      found = notes.in(SECTIONS);
    }
    if (found == null) {
      throw new MessagePack.Malformed("no note with the description of its kernels");
    }
    return found;
  }

  private static boolean startsWith(byte[] file, byte[] start) {
    return Arrays.equals(file, 0, start.length, start, 0, start.length);
  }

  private @Nullable ByteBuffer in(Table table) throws MessagePack.Malformed {
    long start = file.getLong(table.start());
    int entrySize = file.getShort(table.entrySize()) & 0xffff;
    int count = file.getShort(table.count()) & 0xffff;
    if (count == 0) {
      return null;
    }
    ByteBuffer entries = slice(start, (long) entrySize * count, "a table of the file header");
    for (int i = 0; i < count && entrySize >= table.size() + Long.BYTES; i++) {
      int entry = i * entrySize;
      if (entries.getInt(entry + table.type()) == table.noteType()) {
        long offset = entries.getLong(entry + table.offset());
        long size = entries.getLong(entry + table.size());
        ByteBuffer found = among(slice(offset, size, "a part with notes"));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private static @Nullable ByteBuffer among(ByteBuffer notes) throws MessagePack.Malformed {
    while (notes.remaining() >= NOTE_HEADER_BYTES) {
      int at = notes.position();
      long ownerSize = notes.getInt(at) & 0xffff_ffffL;
      long contentSize = notes.getInt(at + 4) & 0xffff_ffffL;
      int type = notes.getInt(at + 8);
      long content = NOTE_HEADER_BYTES + padded(ownerSize);
      if (content + contentSize > notes.remaining()) {
        throw new MessagePack.Malformed("a note that is longer than what holds it");
      }
      if (type == NT_AMDGPU_METADATA && isOwner(notes, at + NOTE_HEADER_BYTES, ownerSize)) {
        return notes.slice(at + (int) content, (int) contentSize);
      }
      notes.position((int) Math.min(at + content + padded(contentSize), notes.limit()));
    }
    return null;
  }

  private static boolean isOwner(ByteBuffer notes, int at, long size) {
    return size == OWNER.length && notes.slice(at, OWNER.length).equals(ByteBuffer.wrap(OWNER));
  }

  /** Notes lie at multiples of four. */
  private static long padded(long size) {
    return (size + 3) & ~3L;
  }

  private ByteBuffer slice(long offset, long size, String what) throws MessagePack.Malformed {
    if (offset < 0 || size < 0 || offset > file.limit() || size > file.limit() - offset) {
      throw new MessagePack.Malformed(
          what + " outside of the file: offset=" + offset + " size=" + size);
    }
    return file.slice((int) offset, (int) size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
