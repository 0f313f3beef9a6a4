package dev.millrace.profiler.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that Maven wrote into {@code version.properties} at build time. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    }
    return new String[] {
      "millrace " + properties.getProperty("version"),
      "Java " + Runtime.version() + " on ${os.name} ${os.arch}"
    };
  }
}
