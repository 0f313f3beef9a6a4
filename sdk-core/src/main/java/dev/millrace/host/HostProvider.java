package dev.millrace.host;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.handle.DeviceId;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceProvider;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the host: one device on every machine. Further ordinals can be opened too; each open device
 * has streams, a null stream and memory of its own, whatever its ordinal.
 */
public final class HostProvider implements DeviceProvider {
  private static final String LIMIT = "millrace.host.memory";
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");

  /** For {@code ServiceLoader}. */
  public HostProvider() {}

  @Override
  public String kind() {
    return "host";
  }

  @Override
  public List<DeviceId> list() {
    return List.of(new DeviceId("host", 0));
  }

  @Override
  public DeviceDriver open(int ordinal) {
    return new HostDriver(new DeviceId("host", ordinal), memoryLimit());
  }

  /** The property, else what the machine or the container has: more would only end the process. */
  private static long memoryLimit() {
    String property = System.getProperty(LIMIT);
    if (property == null) {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
    Matcher matcher = SIZE.matcher(property.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "-D" + LIMIT + "=" + property + ": expected bytes, as in 1073741824 or 512m or 2g");
    }
    int power = " kmgt".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
    // More than a long holds is more than there is.
    long unit = 1L << (10 * power);
    return Math.min(Long.parseLong(matcher.group(1)), Long.MAX_VALUE / unit) * unit;
  }
}
