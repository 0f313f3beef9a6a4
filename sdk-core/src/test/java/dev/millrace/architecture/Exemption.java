package dev.millrace.architecture;

import java.util.Objects;

/**
 * One import that a rule lets pass, and why.
 *
 * @param from the importing class, by its simple name
 * @param to the imported class, by its simple name
 * @param because the reason, in a sentence
 */
public record Exemption(String from, String to, String because) {
  public Exemption {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    if (because.isBlank()) {
      throw new IllegalArgumentException("exemption without a reason: from=" + from + " to=" + to);
    }
  }
}
