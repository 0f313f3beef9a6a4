package dev.millrace.profiler.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that Maven wrote into {@code version.properties} at build time. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "millrace " + number(), "Java " + Runtime.version() + " on ${os.name} ${os.arch}"
    };
  }

  static String number() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("reading version.properties", e);
    }
    return properties.getProperty("version", "unknown");
  }
}
