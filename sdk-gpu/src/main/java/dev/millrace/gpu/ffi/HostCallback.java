package dev.millrace.gpu.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongConsumer;

/** A C function that calls Java, for {@code hipLaunchHostFunc}. */
public final class HostCallback {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");

  private HostCallback() {}

  /**
   * Makes a {@code void f(void* userData)}, good for the life of the process.
   *
   * @param target is given the user data as a number
   * @return the function's address
   */
  @SuppressWarnings("restricted") // the module exists to call native code, and to be called by it
  public static long of(LongConsumer target) {
    return Linker.nativeLinker()
        .upcallStub(handle().bindTo(target), FunctionDescriptor.ofVoid(JAVA_LONG), Arena.global())
        .address();
  }

  private static MethodHandle handle() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              HostCallback.class,
              "call",
              MethodType.methodType(void.class, LongConsumer.class, long.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** An exception that left an upcall would end the process. */
  @SuppressWarnings("UnusedMethod") // called through its handle
  private static void call(LongConsumer target, long userData) {
    try {
      target.accept(userData);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "a host function failed where nobody could be told", e);
    }
  }
}
