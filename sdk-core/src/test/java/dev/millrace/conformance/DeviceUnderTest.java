package dev.millrace.conformance;

import dev.millrace.binding.StreamBound;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Program;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.stream.Device;
import java.util.ArrayList;
import java.util.List;

/** What the suite needs to know of a kind of device. */
public interface DeviceUnderTest {

  /**
   * Opens the device.
   *
   * @return its driver, the caller's to close
   */
  DeviceDriver open();

  /**
   * Opens another device of the kind.
   *
   * @return its driver, the caller's to close
   */
  DeviceDriver openOther();

  /**
   * Loads a program of {@link TinyModels}.
   *
   * @param model what to load
   * @param device where it will run
   * @param options how
   * @return the program, the caller's to close
   */
  default Program load(Model model, Device device, CompileOptions options) {
    return Program.load(model, device, options.withThreadsPerRun(1));
  }

  /**
   * Participants that look at the null stream: handles of real libraries where the device has some.
   *
   * @param device whose streams they look at
   * @return two or more
   */
  default List<StreamBound> participants(Device device) {
    return List.copyOf(LoggingHandle.three(device.nullStream().handle(), new ArrayList<>()));
  }

  /**
   * Lets the next submission of a program's work fail where the engine makes it.
   *
   * @param driver the device's
   * @return the function that fails, which the exception names
   */
  default String failNextSubmission(FaultyDriver driver) {
    driver.log().failCall("call", 1);
    return "call";
  }

  /**
   * Whether its programs read and write memory of the host that the application brings along.
   *
   * @return true where they compute there, or copy from and to it
   */
  boolean reachesHostMemory();

  /**
   * Whether a Java thread works for open devices of this kind, and is to be gone when they closed.
   *
   * @param thread any thread
   * @return true for the device's own
   */
  boolean isThreadOfDevice(Thread thread);
}
