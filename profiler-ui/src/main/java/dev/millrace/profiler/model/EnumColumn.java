package dev.millrace.profiler.model;

/** A column of words. Their codes exist only in memory, so that the order of words may change. */
final class EnumColumn<E extends Enum<E>> {
  private final E[] words;
  private final IntColumn codes;

  EnumColumn(E[] words, IntColumn codes) {
    this.words = words;
    this.codes = codes;
  }

  @SuppressWarnings("EnumOrdinal") // The codes do not outlive the process.
  void add(E word) {
    codes.add(word.ordinal());
  }

  @SuppressWarnings("EnumOrdinal") // As above.
  void set(int row, E word) {
    codes.set(row, word.ordinal());
  }

  E get(int row) {
    return words[codes.get(row)];
  }
}
