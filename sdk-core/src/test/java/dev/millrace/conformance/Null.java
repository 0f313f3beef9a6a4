package dev.millrace.conformance;

/** The null that no caller should pass. */
final class Null {
  private Null() {}

  // The one place where a test lies to the compiler about null.
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  static <T> T value() {
    return null;
  }
}
