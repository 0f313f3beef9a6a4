package dev.millrace.samples.gpubench;

/**
 * What both sides submit to.
 *
 * @param stream its address
 * @param event the C side's
 * @param ordinal of the device
 * @param samples how many submissions a round has
 */
record Submission(long stream, long event, int ordinal, int samples) {
  Submission withSamples(int number) {
    return new Submission(stream, event, ordinal, number);
  }
}
