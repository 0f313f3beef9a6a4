/** The profiler and the {@code millrace} command line. */
module dev.millrace.profiler {
  requires static org.jspecify;
  requires dev.millrace.core;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires java.management;

  uses dev.millrace.spi.DeviceProvider;

  // picocli fills the fields of commands reflectively.
  opens dev.millrace.profiler.launch to
      info.picocli;
}
