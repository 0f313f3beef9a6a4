package dev.millrace.profiler.launch;

import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes a short answer of a program's output: the text of a recogniser (the best class of each time
 * step, repeats and blanks left out), else the place of the greatest number. The answer is kept as
 * one number, by which arms can be told to agree.
 */
final class Postprocessing {
  private static final int SEQUENCE_RANK = 3;
  private static final int BLANK = 0;
  private static final long PRIME = 1_000_003;

  private Postprocessing() {}

  static long answer(Tensor output) {
    MemorySegment values = output.segment();
    if (output.type() != DataType.FLOAT) {
      return hash(values);
    }
    Shape shape = output.shape();
    return shape.rank() == SEQUENCE_RANK
        ? text(values, Math.toIntExact(shape.dim(2)))
        : best(values, 0, values.byteSize() / Float.BYTES);
  }

  /** Greedy decoding of connectionist temporal classification. */
  private static long text(MemorySegment values, int classes) {
    long steps = classes == 0 ? 0 : values.byteSize() / Float.BYTES / classes;
    long answer = 0;
    long previous = BLANK;
    for (long step = 0; step < steps; step++) {
      long symbol = best(values, step * classes, classes);
      if (symbol != previous && symbol != BLANK) {
        answer = PRIME * answer + symbol;
      }
      previous = symbol;
    }
    return answer;
  }

  private static long best(MemorySegment values, long from, long count) {
    long best = 0;
    float greatest = Float.NEGATIVE_INFINITY;
    for (long i = 0; i < count; i++) {
      float value = values.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, from + i);
      if (value > greatest) {
        greatest = value;
        best = i;
      }
    }
    return best;
  }

  private static long hash(MemorySegment values) {
    long hash = 0;
    for (long i = 0; i < values.byteSize(); i++) {
      hash = PRIME * hash + values.get(ValueLayout.JAVA_BYTE, i);
    }
    return hash;
  }
}
