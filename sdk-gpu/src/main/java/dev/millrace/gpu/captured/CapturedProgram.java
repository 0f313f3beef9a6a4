package dev.millrace.gpu.captured;

import dev.millrace.binding.StreamBound;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Program;
import dev.millrace.stream.Device;
import dev.millrace.stream.StreamContext;
import java.util.Objects;

/**
 * Makes programs of the application's own launches: the body is captured once a lane, and each run
 * replays the capture with one call, on any stream of the device.
 *
 * <p>Experimental: may change in any release.
 */
public final class CapturedProgram {
  private static final String KIND = "gpu";

  private CapturedProgram() {}

  /**
   * Captures a body as a program. For each lane the body is called twice, on this thread or, if
   * this is a virtual one, on a platform thread: to warm up, and to be captured. Meanwhile the
   * handles that are attached to the context look at the stream that is captured; afterwards they
   * are where they were. One capture is open in the process at a time.
   *
   * <p>What the body uses and does not get from its scope, such as modules, weights and attached
   * handles, has to stay open until the program is closed; tensors and modules that own kernels,
   * copies and fills use are kept by the program itself.
   *
   * @param context whose device captures, and whose handles the body may use
   * @param spec what the program takes and gives
   * @param options lanes, and how many runs may be in flight
   * @param body the work
   * @return the program, the caller's to close
   * @throws UnsupportedOperationException if the device is no GPU
   * @throws IllegalArgumentException for more than one lane with an attached handle that has a
   *     workspace, which the lanes would share; the body asks its scope for a handle instead
   * @throws IllegalStateException in the body of another capture, or if the context is bound by
   *     another thread
   * @throws dev.millrace.error.DeviceException if a call in the body may not be captured, with that
   *     call; or if there is not enough memory for another lane, with the sizes. Nothing is left of
   *     the capture then
   */
  public static Program capture(
      StreamContext context, CaptureSpec spec, CompileOptions options, CaptureBody body) {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(body, "body");
    Device device = context.own().device();
    if (!device.id().kind().equals(KIND) || !device.features().capture()) {
      throw new UnsupportedOperationException(
          "capture " + spec + ": device=" + device + " captures nothing");
    }
    checkWorkspaces(context, spec, options);
    CapturedEngine engine = new CapturedEngine(context, spec, body, options.lanes());
    return Program.of(engine, spec.name(), device, options);
  }

  private static void checkWorkspaces(
      StreamContext context, CaptureSpec spec, CompileOptions options) {
    if (options.lanes() == 1) {
      return;
    }
    for (StreamBound participant : context.participants()) {
      if (participant.hasWorkspace()) {
        throw new IllegalArgumentException(
            "capture "
                + spec
                + " lanes="
                + options.lanes()
                + ": participant="
                + participant.name()
                + " of the context has one workspace, which work of several lanes would use at"
                + " once; take the scope's own handle, or one lane");
      }
    }
  }
}
