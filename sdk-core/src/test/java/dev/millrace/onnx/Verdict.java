package dev.millrace.onnx;

import dev.millrace.error.DeviceException;
import dev.millrace.error.ModelException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What became of a case.
 *
 * @param group why, in words that many cases share
 * @param detail which input or output, or what ONNX Runtime said; no figures, which would differ
 *     from one processor to another
 */
record Verdict(String group, String detail) {
  static final Verdict PASSES = new Verdict("passes", "");

  private static final Pattern REFUSED_TYPE =
      Pattern.compile("(input|output)=(\\S+) is of type ([a-z0-9]+),");

  static Verdict differs(String output) {
    return new Verdict("differs", "output=" + output);
  }

  static Verdict fails(DeviceException failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new Verdict("fails to run", oneLine(String.valueOf(root.getMessage())));
  }

  static Verdict refused(ModelException refusal) {
    Matcher type = REFUSED_TYPE.matcher(refusal.reason());
    if (!type.find()) {
      String group =
          refusal.getCause() == null ? "refused" : "refused: ONNX Runtime itself does not load it";
      return new Verdict(group, oneLine(refusal.reason()));
    }
    String what =
        switch (type.group(3)) {
          case "string" -> "is made of strings";
          case "sequence", "map" -> "is no tensor";
          default -> type.group(1).equals("input") ? "cannot be fed" : "cannot be read";
        };
    return new Verdict(
        "refused: an " + type.group(1) + " " + what, type.group(2) + " " + type.group(3));
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s+", " ").strip();
  }

  @Override
  public String toString() {
    return group + "\t" + detail;
  }

  boolean passes() {
    return equals(PASSES);
  }
}
