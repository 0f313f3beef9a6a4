package dev.millrace.gpu.ffi;

import dev.millrace.error.DeviceException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What is said when a function's status is not 0.
 *
 * @param act what the call does
 * @param function whose parameters' names the message uses
 * @param errors names the status
 */
record Failure(String act, Prototype function, NativeLibrary.ErrorNames errors) {
  private static final MethodHandle IS_SUCCESS = find("isSuccess", boolean.class, int.class);
  private static final MethodHandle RAISE =
      findVirtual("raise", MethodType.methodType(void.class, int.class, Object[].class));

  /** Turns a call that returns a status into one that returns nothing or throws. */
  static MethodHandle thrownFrom(MethodHandle call, Failure failure) {
    MethodType arguments = call.type();
    MethodType withStatus =
        arguments.changeReturnType(void.class).insertParameterTypes(0, int.class);
    MethodHandle raise =
        RAISE
            .bindTo(failure)
            .asCollector(1, Object[].class, arguments.parameterCount())
            .asType(withStatus);
    MethodHandle nothing = MethodHandles.empty(withStatus);
    MethodHandle test = MethodHandles.dropArguments(IS_SUCCESS, 1, arguments.parameterList());
    return MethodHandles.foldArguments(MethodHandles.guardWithTest(test, nothing, raise), call);
  }

  @SuppressWarnings("UnusedMethod") // called through its handle
  private static boolean isSuccess(int status) {
    return status == 0;
  }

  @SuppressWarnings("UnusedMethod") // called through its handle
  private void raise(int status, Object[] arguments) {
    throw FirstFailure.noted(
        DeviceException.of(
            act + function.describe(arguments),
            HipDevices.currentId(),
            function.name(),
            status,
            errors.of(status)));
  }

  private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.lookup()
          .findStatic(Failure.class, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle findVirtual(String name, MethodType type) {
    try {
      return MethodHandles.lookup().findVirtual(Failure.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
