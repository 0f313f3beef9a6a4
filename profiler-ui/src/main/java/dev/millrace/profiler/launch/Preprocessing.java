package dev.millrace.profiler.launch;

import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Fills one input from bytes, as an application does that has a picture: the bytes of its pixels,
 * colours innermost, become numbers from -1 to 1, colours outermost. Inputs of whole numbers get
 * zeros and ones, which any table of embeddings has.
 */
final class Preprocessing implements Runnable {
  private static final int IMAGE_RANK = 4;
  private static final float HALF = 127.5f;

  private final Tensor input;
  private final byte[] pixels;
  private final int colours;

  Preprocessing(Tensor input, SplittableRandom random) {
    this.input = input;
    pixels = new byte[Math.toIntExact(input.shape().elements())];
    random.nextBytes(pixels);
    colours = colours(input.shape());
  }

  private static int colours(Shape shape) {
    boolean isImage = shape.rank() == IMAGE_RANK && shape.dim(0) == 1;
    return isImage ? (int) shape.dim(1) : 1;
  }

  @Override
  public void run() {
    switch (input.type()) {
      case FLOAT, FLOAT16, BFLOAT16 -> input.write(normalised());
      case DOUBLE -> input.write(widened(normalised()));
      case INT64, UINT64 -> input.write(longBits());
      case INT32, UINT32 -> input.write(intBits());
      case INT16, UINT16 -> input.write(shortBits());
      case BOOL -> input.write(flags());
      default -> input.write(MemorySegment.ofArray(byteBits()));
    }
  }

  private float[] normalised() {
    float[] values = new float[pixels.length];
    int plane = colours == 0 ? 0 : pixels.length / colours;
    for (int pixel = 0; pixel < plane; pixel++) {
      for (int colour = 0; colour < colours; colour++) {
        int value = pixels[pixel * colours + colour] & 0xff;
        values[colour * plane + pixel] = (value - HALF) / HALF;
      }
    }
    return values;
  }

  private static double[] widened(float[] values) {
    double[] wide = new double[values.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = values[i];
    }
    return wide;
  }

  private long[] longBits() {
    long[] bits = new long[pixels.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = pixels[i] & 1;
    }
    return bits;
  }

  private int[] intBits() {
    int[] bits = new int[pixels.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = pixels[i] & 1;
    }
    return bits;
  }

  private short[] shortBits() {
    short[] bits = new short[pixels.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (short) (pixels[i] & 1);
    }
    return bits;
  }

  /** For types of other sizes, packed ones too. */
  private byte[] byteBits() {
    byte[] bits = new byte[Math.toIntExact(input.byteSize())];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (pixels[i % pixels.length] & 1);
    }
    return bits;
  }

  private boolean[] flags() {
    boolean[] flags = new boolean[pixels.length];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = (pixels[i] & 1) != 0;
    }
    return flags;
  }
}
