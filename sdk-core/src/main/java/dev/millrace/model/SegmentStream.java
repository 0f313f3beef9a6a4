package dev.millrace.model;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/** Reads a segment of any size from its start. */
final class SegmentStream extends InputStream {
  private final MemorySegment segment;
  private long position;
  private long mark;

  SegmentStream(MemorySegment segment) {
    this.segment = segment;
  }

  private long left() {
    return segment.byteSize() - position;
  }

  @Override
  public int read() {
    return left() == 0 ? -1 : Byte.toUnsignedInt(segment.get(JAVA_BYTE, position++));
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (left() == 0 && length > 0) {
      return -1;
    }
    int count = (int) Math.min(length, left());
    MemorySegment.copy(segment, JAVA_BYTE, position, to, offset, count);
    position += count;
    return count;
  }

  @Override
  public long skip(long bytes) {
    long count = Math.clamp(bytes, 0, left());
    position += count;
    return count;
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  public void mark(int readLimit) {
    mark = position;
  }

  @Override
  public void reset() {
    position = mark;
  }
}
