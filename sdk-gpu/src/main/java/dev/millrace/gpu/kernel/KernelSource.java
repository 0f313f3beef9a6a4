package dev.millrace.gpu.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The text of kernels in HIP, and how to compile it. Immutable: each {@code with} method returns a
 * copy.
 *
 * <p>Kernels that are declared {@code extern "C"} are found by the names they have in the text.
 * Others, those of templates among them, are named by {@link #withKernel}.
 *
 * <p>Experimental: may change in any release.
 */
public final class KernelSource {
  private final String name;
  private final String text;
  private final List<String> options;
  private final Map<String, String> headers;
  private final List<String> kernels;

  private KernelSource(
      String name,
      String text,
      List<String> options,
      Map<String, String> headers,
      List<String> kernels) {
    this.name = name;
    this.text = text;
    this.options = options;
    this.headers = headers;
    this.kernels = kernels;
  }

  /**
   * A source at hand.
   *
   * @param name what messages of the compiler call it, for example {@code scale.hip}
   * @param text the source
   * @return the source without options and headers
   * @throws IllegalArgumentException if the name or the text is blank
   */
  public static KernelSource of(String name, String text) {
    requireText("name", name);
    requireText("text", text);
    return new KernelSource(name, text, List.of(), Map.of(), List.of());
  }

  /**
   * A source among the resources of the application.
   *
   * @param owner the class beside which the resource lies
   * @param path relative to the class, or absolute with a leading slash; UTF-8
   * @return the source without options and headers, named after the file
   * @throws IllegalArgumentException if there is no such resource
   */
  public static KernelSource fromResource(Class<?> owner, String path) {
    Objects.requireNonNull(path, "path");
    try (InputStream in = owner.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "read kernel source resource="
                + path
                + " of "
                + owner.getName()
                + ": there is none; in a named module its package must be open");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return of(path.substring(path.lastIndexOf('/') + 1), text);
    } catch (IOException e) {
      throw new UncheckedIOException("read kernel source resource=" + path, e);
    }
  }

  /**
   * Defines a macro.
   *
   * @param macro its name
   * @param value its value
   * @return a copy with that macro
   */
  public KernelSource withDefine(String macro, String value) {
    requireText("macro", macro);
    return withOption("-D" + macro + "=" + Objects.requireNonNull(value, "value"));
  }

  /**
   * Adds an option of the compiler. The architecture is added by itself.
   *
   * @param option for example {@code -ffast-math}
   * @return a copy with that option, after those that it has
   */
  public KernelSource withOption(String option) {
    requireText("option", option);
    return new KernelSource(name, text, plus(options, option), headers, kernels);
  }

  /**
   * Adds a header that the source, or another header, includes.
   *
   * @param header the name in its {@code #include}
   * @param content its text
   * @return a copy with that header
   */
  public KernelSource withHeader(String header, String content) {
    requireText("header", header);
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, Objects.requireNonNull(content, "content"));
    return new KernelSource(name, text, options, Collections.unmodifiableMap(more), kernels);
  }

  /**
   * Names a kernel that is not {@code extern "C"} as the source would call it, so that the module
   * finds it by that name.
   *
   * @param expression for example {@code scale<float>}
   * @return a copy with that kernel
   */
  public KernelSource withKernel(String expression) {
    requireText("expression", expression);
    return new KernelSource(name, text, options, headers, plus(kernels, expression));
  }

  private static List<String> plus(List<String> list, String one) {
    List<String> more = new ArrayList<>(list);
    more.add(one);
    return List.copyOf(more);
  }

  private static void requireText(String parameter, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException("kernel source " + parameter + " is blank");
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("kernel source " + parameter + " has a zero character");
    }
  }

  /**
   * What messages of the compiler call it.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * The source.
   *
   * @return its text
   */
  public String text() {
    return text;
  }

  /**
   * The options of the compiler, macros among them.
   *
   * @return in the order in which they were added
   */
  public List<String> options() {
    return options;
  }

  /**
   * The headers.
   *
   * @return their texts by name, unmodifiable
   */
  public Map<String, String> headers() {
    return headers;
  }

  /**
   * The kernels that were named.
   *
   * @return as the source would call them
   */
  public List<String> kernels() {
    return kernels;
  }

  @Override
  public String toString() {
    return "source=" + name;
  }
}
