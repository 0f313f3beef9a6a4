package dev.millrace.gpu.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The headers that the stand-ins are built with, which write down what is in AMD's. They are read
 * in a namespace before AMD's; the prototypes then once more after them, with AMD's types.
 */
final class StandInHeaders {
  private static final Pattern BODY =
      Pattern.compile("\\b(enum|struct)\\b\\s*(\\w*)[^;{]*\\{([^}]*)}");
  private static final Pattern ENUMERATOR =
      Pattern.compile("\\b([A-Za-z_]\\w*)\\s*(?:=\\s*[-\\w]+\\s*)?(?:,|$)");
  private static final Pattern MEMBER = Pattern.compile("\\b([A-Za-z_]\\w*)(?:\\[[^]]*])*\\s*;");

  /** Members that stand for several of AMD's in one. */
  private static final Set<String> SEVERAL_IN_ONE =
      Set.of("textureLimits", "cooperativeMultiDeviceUnmatched");

  private final Set<String> numbers = new LinkedHashSet<>();
  private final StringBuilder types = new StringBuilder();
  private final StringBuilder prototypes = new StringBuilder();

  /** Reads headers of types, and one of prototypes. */
  static StandInHeaders read(List<String> typeHeaders, String prototypeHeader) {
    StandInHeaders all = new StandInHeaders();
    for (String header : typeHeaders) {
      all.types.append(text(header));
    }
    all.prototypes.append(text(prototypeHeader));
    all.findNumbers();
    return all;
  }

  private static String text(String header) {
    Path file = Path.of(System.getProperty("basedir"), "src/native", header);
    try {
      return Files.readString(file)
          .replaceAll("(?m)^#(include|pragma once).*$", "")
          .replaceAll("//.*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void findNumbers() {
    Matcher body = BODY.matcher(types);
    while (body.find()) {
      if (body.group(1).equals("enum")) {
        ENUMERATOR.matcher(body.group(3)).results().map(one -> one.group(1)).forEach(numbers::add);
      } else {
        String struct = body.group(2);
        numbers.add("sizeof(" + struct + ")");
        MEMBER
            .matcher(body.group(3))
            .results()
            .map(member -> member.group(1))
            .filter(member -> !SEVERAL_IN_ONE.contains(member))
            .map(member -> "offsetof(" + struct + ", " + member + ")")
            .forEach(numbers::add);
      }
    }
  }

  /** How many numbers are compared. */
  int size() {
    return numbers.size();
  }

  /** The numbers are kept under names that no macro of AMD's can touch. */
  void addTo(HeaderCheck check) {
    check.before("#include <cstddef>\n#include <cstdint>\nnamespace standin {\n" + types);
    int index = 0;
    for (String number : numbers) {
      check.before("constexpr long long number" + index + " = (long long)(" + number + ");");
      check.add(
          "static_assert(standin::number%d == (long long)(%s), \"stand-in: %s\");"
              .formatted(index, number, number));
      index++;
    }
    check.before("}");
    check.add(prototypes.toString());
  }
}
