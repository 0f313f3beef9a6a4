package dev.millrace.gpu.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A C function as its header declares it. The text is the one truth: Java's layout is read from it,
 * and a test compiles it against the real headers.
 *
 * <p>Pointers are plain numbers: an address as a {@code MemorySegment} costs an object a call until
 * the compiler has inlined it, and owners keep memory alive, not this.
 *
 * @param text the declaration, without a semicolon
 * @param name the function
 * @param result its result type
 * @param parameters its parameters, in order
 */
record Prototype(String text, String name, String result, List<Parameter> parameters) {
  private static final Pattern FUNCTION =
      Pattern.compile("\\s*([\\w\\s*]+?)\\s*(\\w+)\\s*\\((.*)\\)\\s*", Pattern.DOTALL);
  private static final Pattern PARAMETER = Pattern.compile("(.*?[\\s*])(\\w+)", Pattern.DOTALL);

  /** Types that are neither pointers nor enumerations; all else that ends in no star is an int. */
  private static final Map<String, MemoryLayout> SCALARS =
      Map.ofEntries(
          Map.entry("float", JAVA_FLOAT),
          Map.entry("double", JAVA_DOUBLE),
          Map.entry("bool", JAVA_BYTE),
          Map.entry("size_t", JAVA_LONG),
          Map.entry("int64_t", JAVA_LONG),
          Map.entry("uint64_t", JAVA_LONG),
          Map.entry("unsigned long long", JAVA_LONG),
          Map.entry("rocblas_stride", JAVA_LONG));

  /** Opaque types that hide a pointer behind a name. */
  private static final Pattern HANDLE =
      Pattern.compile(
          "hip(Stream|Event|Module|Function|Graph|GraphExec|GraphNode|MemPool)_t"
              + "|hipDeviceptr_t|hipHostFn_t|hiprtcProgram|hiprtcLinkState"
              + "|rocblas_handle|miopenHandle_t|hipblasHandle_t"
              + "|miopenAcceleratorQueue_t");

  /**
   * A parameter.
   *
   * @param type its C type, spaces made single
   * @param name its name, which failure messages use
   */
  record Parameter(String type, String name) {
    MemoryLayout layout() {
      return layoutOf(type);
    }

    /**
     * Whether a message gains by its value: an address of our own scratch tells nobody anything.
     */
    boolean isTelling() {
      return !isPointer(type) || type.equals("const void*");
    }

    boolean isAddress() {
      return isPointer(type) || HANDLE.matcher(type).matches();
    }
  }

  static Prototype of(String text) {
    Matcher function = FUNCTION.matcher(text);
    if (!function.matches()) {
      throw new IllegalArgumentException("no prototype: " + text);
    }
    return new Prototype(
        text, function.group(2), tidy(function.group(1)), parameters(function.group(3), text));
  }

  private static List<Parameter> parameters(String list, String text) {
    List<Parameter> parameters = new ArrayList<>();
    if (list.isBlank() || list.strip().equals("void")) {
      return parameters;
    }
    for (String one : list.split(",", -1)) {
      Matcher parameter = PARAMETER.matcher(one.strip());
      if (!parameter.matches()) {
        throw new IllegalArgumentException("no parameter: " + one + " in " + text);
      }
      parameters.add(new Parameter(tidy(parameter.group(1)), parameter.group(2)));
    }
    return List.copyOf(parameters);
  }

  private static String tidy(String type) {
    return type.strip().replaceAll("\\s+", " ").replaceAll("\\s*\\*", "*");
  }

  private static boolean isPointer(String type) {
    return type.endsWith("*");
  }

  static MemoryLayout layoutOf(String type) {
    if (isPointer(type) || HANDLE.matcher(type).matches()) {
      return JAVA_LONG;
    }
    MemoryLayout scalar = SCALARS.get(type);
    return scalar == null ? JAVA_INT : scalar;
  }

  FunctionDescriptor descriptor() {
    MemoryLayout[] arguments =
        parameters.stream().map(Parameter::layout).toArray(MemoryLayout[]::new);
    return result.equals("void")
        ? FunctionDescriptor.ofVoid(arguments)
        : FunctionDescriptor.of(layoutOf(result), arguments);
  }

  /** The arguments of a call that failed, as a message shows them. */
  String describe(Object[] arguments) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < arguments.length; i++) {
      Parameter parameter = parameters.get(i);
      if (parameter.isTelling()) {
        shown.append(' ').append(parameter.name()).append('=');
        shown.append(shown(parameter, arguments[i]));
      }
    }
    return shown.toString();
  }

  private static String shown(Parameter parameter, Object value) {
    return parameter.isAddress() && value instanceof Long address
        ? "0x" + Long.toHexString(address)
        : String.valueOf(value);
  }

  Stream<String> types() {
    return Stream.concat(Stream.of(result), parameters.stream().map(Parameter::type));
  }
}
