package dev.millrace.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps what one logger says, and keeps it off the console meanwhile. */
public final class LogCapture implements AutoCloseable {
  // The logging framework forgets loggers that nobody refers to, and their handlers with them.
  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public LogCapture(String name) {
    logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  public List<LogRecord> records() {
    return records;
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }
}
