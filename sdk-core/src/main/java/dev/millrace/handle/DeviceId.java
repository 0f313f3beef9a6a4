package dev.millrace.handle;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a device: its kind and its number among the devices of that kind, written {@code gpu:0}.
 *
 * @param kind the provider's word, lower case, for example {@code host} or {@code gpu}
 * @param ordinal the number, from 0
 */
public record DeviceId(String kind, int ordinal) implements Serializable {
  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern TEXT = Pattern.compile("([^:]*)(?::([0-9]{1,9}))?");

  /** Checks both parts. */
  public DeviceId {
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException(
          "device kind=" + kind + ": expected lower-case letters, digits and hyphens");
    }
    if (ordinal < 0) {
      throw new IllegalArgumentException("device ordinal=" + ordinal + ": expected 0 or more");
    }
  }

  /**
   * Reads {@code kind:ordinal}; a kind alone means its device 0.
   *
   * @param text for example {@code host} or {@code gpu:1}
   * @return the id
   * @throws IllegalArgumentException if the text is neither
   */
  public static DeviceId parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches() || !KIND.matcher(parts.group(1)).matches()) {
      throw new IllegalArgumentException(
          "device=" + text + ": expected kind or kind:ordinal, as in host or gpu:1");
    }
    String ordinal = parts.group(2);
    return new DeviceId(parts.group(1), ordinal == null ? 0 : Integer.parseInt(ordinal));
  }

  @Override
  public String toString() {
    return kind + ":" + ordinal;
  }
}
