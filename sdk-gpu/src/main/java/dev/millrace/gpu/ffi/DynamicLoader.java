package dev.millrace.gpu.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The C library's loader. {@code SymbolLookup} would load as well, but it says only that it could
 * not; this one says which dependency was missing.
 */
final class DynamicLoader {
  private static final int RTLD_NOW = 2;
  private static final MethodHandle DLOPEN =
      bind("dlopen", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle DLSYM =
      bind("dlsym", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle DLERROR = bind("dlerror", FunctionDescriptor.of(JAVA_LONG));

  private DynamicLoader() {}

  @SuppressWarnings("restricted") // the module exists to call native code
  private static MethodHandle bind(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /** What {@code dlopen} gave: a handle, or 0 and the reason. */
  record Opened(long handle, String reason) {
    boolean isOpen() {
      return handle != 0;
    }
  }

  static Opened open(String library) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(library);
      long handle = (long) DLOPEN.invokeExact(name.address(), RTLD_NOW);
      return new Opened(handle, handle == 0 ? lastError() : "");
    } catch (Throwable e) {
      throw Native.unexpected("dlopen", e);
    }
  }

  private static String lastError() throws Throwable {
    long text = (long) DLERROR.invokeExact();
    return text == 0 ? "no reason given" : Native.string(text);
  }

  /** The address of a symbol, or 0. */
  static long symbol(long library, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name, StandardCharsets.US_ASCII);
      return (long) DLSYM.invokeExact(library, text.address());
    } catch (Throwable e) {
      throw Native.unexpected("dlsym", e);
    }
  }
}
