package dev.millrace.error;

import dev.millrace.handle.DeviceId;
import org.jspecify.annotations.Nullable;

/**
 * A call into a device's runtime failed, memory of a device or of the process ran out, or work that
 * was already submitted failed later.
 *
 * <p>The message says the act that failed, its subject as {@code name=value}, and the function of
 * the runtime with the name of its error.
 */
public final class DeviceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What was attempted, with its subject as {@code name=value}. */
  private final String act;

  /** The runtime's function. */
  private final String function;

  /** The runtime's error number, or -1. */
  private final int code;

  /** The error number's symbolic name. */
  private final String codeName;

  /** The device concerned. */
  private final DeviceId device;

  private DeviceException(
      String act,
      DeviceId device,
      String function,
      int code,
      String codeName,
      @Nullable Throwable cause) {
    super(act + " device=" + device + ": " + function + " failed with " + codeName, cause);
    this.act = act;
    this.device = device;
    this.function = function;
    this.code = code;
    this.codeName = codeName;
  }

  /**
   * A function of the runtime that answered with an error.
   *
   * @param act what was attempted, with its subject as {@code name=value}
   * @param device the device it was attempted on
   * @param function the runtime's function
   * @param code the number that it returned
   * @param codeName that number's symbolic name
   * @return the exception, not thrown
   */
  public static DeviceException of(
      String act, DeviceId device, String function, int code, String codeName) {
    return new DeviceException(act, device, function, code, codeName, null);
  }

  /**
   * A failure that arrived as an exception of the runtime, for example from an engine.
   *
   * @param act what was attempted, with its subject as {@code name=value}
   * @param device the device it was attempted on
   * @param function the runtime's function
   * @param cause what the runtime threw
   * @return the exception, not thrown; its code is -1 and its code name that of the cause
   */
  public static DeviceException of(String act, DeviceId device, String function, Throwable cause) {
    return new DeviceException(
        act,
        device,
        function,
        -1,
        cause.getClass().getSimpleName() + ": " + cause.getMessage(),
        cause);
  }

  /**
   * What was attempted.
   *
   * @return the act, with its subject as {@code name=value}
   */
  public String act() {
    return act;
  }

  /**
   * The function that failed.
   *
   * @return its name in the runtime's API
   */
  public String function() {
    return function;
  }

  /**
   * The runtime's error number.
   *
   * @return the number, or -1 where the runtime threw instead
   */
  public int code() {
    return code;
  }

  /**
   * The runtime's name of the error.
   *
   * @return the symbolic name
   */
  public String codeName() {
    return codeName;
  }

  /**
   * The device concerned.
   *
   * @return its id
   */
  public DeviceId device() {
    return device;
  }
}
