package dev.millrace.gpu.ffi;

import dev.millrace.error.LibraryMissingException;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A library of ROCm and the functions that are bound to it. A library that is not there, and a
 * function that it lacks, are found out when something is called: all else still works.
 */
final class NativeLibrary {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");

  private final String name;
  private final ErrorNames errors;
  private final List<Prototype> bound = new CopyOnWriteArrayList<>();
  private final long handle;
  private final @Nullable LibraryMissingException missing;

  /** Names a status; each library has a function of its own for it. */
  @FunctionalInterface
  interface ErrorNames {
    String of(int status);
  }

  private NativeLibrary(
      String name, ErrorNames errors, long handle, @Nullable LibraryMissingException missing) {
    this.name = name;
    this.errors = errors;
    this.handle = handle;
    this.missing = missing;
  }

  /**
   * Looks for a library and loads it; it is never unloaded.
   *
   * @param name its name without {@code lib} and {@code .so}
   * @param versions of its name, newest first
   * @param errors names a status
   */
  static NativeLibrary open(String name, List<Integer> versions, ErrorNames errors) {
    if (!NativeLibrary.class.getModule().isNativeAccessEnabled()) {
      return new NativeLibrary(name, errors, 0, accessDenied(name));
    }
    List<String> tried = new ArrayList<>();
    for (String candidate : LibrarySearch.candidates(name, versions)) {
      DynamicLoader.Opened opened = DynamicLoader.open(candidate);
      if (opened.isOpen()) {
        LOG.log(System.Logger.Level.DEBUG, "loaded {0}", candidate);
        return new NativeLibrary(name, errors, opened.handle(), null);
      }
      tried.add(candidate + " (" + opened.reason() + ")");
    }
    return new NativeLibrary(name, errors, 0, notFound(name, tried));
  }

  /**
   * As {@link #open}, for a library that itself calls another. The other is loaded first, from
   * where we look for it: else the loader would bring one along from where it looks.
   *
   * @param below what it calls
   */
  static NativeLibrary openAbove(
      NativeLibrary below, String name, List<Integer> versions, ErrorNames errors) {
    LOG.log(System.Logger.Level.DEBUG, "looking for {0} above {1}", name, below.name);
    return open(name, versions, errors);
  }

  private static LibraryMissingException accessDenied(String name) {
    Module module = NativeLibrary.class.getModule();
    return new LibraryMissingException(
        "lib" + name,
        List.of(),
        "Java may not call native code here; start it with --enable-native-access="
            + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
  }

  private static LibraryMissingException notFound(String name, List<String> tried) {
    return new LibraryMissingException(
        "lib" + name,
        tried,
        "install ROCm, or name the folder of its libraries with -D"
            + LibrarySearch.FOLDER_PROPERTY
            + "=FOLDER");
  }

  /** Why the library is not there, or empty. */
  Optional<LibraryMissingException> missing() {
    return Optional.ofNullable(missing);
  }

  boolean has(String function) {
    return handle != 0 && DynamicLoader.symbol(handle, function) != 0;
  }

  List<Prototype> bound() {
    return List.copyOf(bound);
  }

  /**
   * Binds a function that returns a status. The handle returns nothing: a status other than 0
   * becomes an exception that names the act, the arguments, the function and the error.
   *
   * @param act what the call does, in words
   * @param prototype as the header has it
   */
  MethodHandle check(String act, String prototype) {
    Prototype function = declared(prototype);
    MethodHandle call = downcall(function);
    return handle == 0 || call.type().returnType() == void.class
        ? call
        : Failure.thrownFrom(call, new Failure(act, function, errors));
  }

  /** Binds a function whose result is the caller's to read. */
  MethodHandle plain(String prototype) {
    return downcall(declared(prototype));
  }

  private Prototype declared(String prototype) {
    Prototype function = Prototype.of(prototype);
    bound.add(function);
    return function;
  }

  @SuppressWarnings("restricted") // the module exists to call native code
  private MethodHandle downcall(Prototype function) {
    long address = handle == 0 ? 0 : DynamicLoader.symbol(handle, function.name());
    if (address == 0) {
      return thrower(function);
    }
    return Linker.nativeLinker()
        .downcallHandle(MemorySegment.ofAddress(address), function.descriptor());
  }

  private MethodHandle thrower(Prototype function) {
    MethodType type = function.descriptor().toMethodType();
    LibraryMissingException why = missing == null ? lacks(function) : missing;
    MethodHandle thrower =
        MethodHandles.throwException(type.returnType(), LibraryMissingException.class).bindTo(why);
    return MethodHandles.dropArguments(thrower, 0, type.parameterList());
  }

  private LibraryMissingException lacks(Prototype function) {
    return new LibraryMissingException(
        "function " + function.name(),
        List.of("lib" + name),
        "this release of the library lacks it; a newer one may have it");
  }
}
