package dev.millrace.error;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A library or an engine that was asked for is not there; the message says how to add it. */
public final class LibraryMissingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The library or engine. */
  private final String library;

  /** The places, in an array since a serialisable exception cannot promise that any list is. */
  private final String[] tried;

  /** What to do about it. */
  private final String remedy;

  /**
   * Names what is missing.
   *
   * @param library the library or engine
   * @param tried every place that was looked at, in order; may be empty
   * @param remedy one sentence: what to add or to set
   */
  public LibraryMissingException(String library, List<String> tried, String remedy) {
    this(library, tried, remedy, null);
  }

  /**
   * Names what is missing, and why it could not be loaded.
   *
   * @param library the library or engine
   * @param tried every place that was looked at, in order; may be empty
   * @param remedy one sentence: what to add or to set
   * @param cause what the loader threw
   */
  public LibraryMissingException(
      String library, List<String> tried, String remedy, @Nullable Throwable cause) {
    super(message(library, tried, remedy), cause);
    this.library = library;
    this.tried = tried.toArray(new String[0]);
    this.remedy = remedy;
  }

  private static String message(String library, List<String> tried, String remedy) {
    String places = tried.isEmpty() ? "" : " (tried " + String.join(", ", tried) + ")";
    return library + " is not available" + places + ": " + remedy;
  }

  /**
   * What is missing.
   *
   * @return the name of the library or engine
   */
  public String library() {
    return library;
  }

  /**
   * Where it was looked for.
   *
   * @return the places, in order
   */
  public List<String> tried() {
    return List.of(tried);
  }

  /**
   * What to do about it.
   *
   * @return one sentence
   */
  public String remedy() {
    return remedy;
  }
}
