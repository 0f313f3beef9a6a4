package dev.millrace.host;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.spi.HostWork;
import dev.millrace.trace.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * The node profile of a session. ONNX Runtime profiles a session, not a run, and writes its file
 * when told to end, so the slices come into the trace when the program closes: those of runs that
 * were made while the trace was on. It keeps a million events and drops later ones.
 */
final class OnnxProfile {
  private static final System.Logger LOG = System.getLogger("dev.millrace.host");

  private final String program;
  private final Path folder;
  private final Queue<OnnxProfiledRun> runs = new ConcurrentLinkedQueue<>();

  private OnnxProfile(String program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /** Begins a profile in a temporary folder that only this user may read. */
  static OnnxProfile create(String program) {
    try {
      return new OnnxProfile(program, Files.createTempDirectory("millrace-profile"));
    } catch (IOException e) {
      throw new UncheckedIOException("profile nodes of program=" + program, e);
    }
  }

  /** What ONNX Runtime puts before the date in the name of its file. */
  String filePrefix() {
    return folder.resolve("session").toString();
  }

  HostWork recording(HostWork work, long stream) {
    return new OnnxProfiledRun(work, stream, runs);
  }

  /** Ends the profile and puts its slices into the trace. */
  void finish(OrtSession session) throws OrtException {
    try {
      long sessionBeginNs = session.getProfilingStartTimeInNs();
      Path file = Path.of(session.endProfiling());
      if (!runs.isEmpty() && Trace.isOn()) {
        OnnxProfileReader.read(file, sessionBeginNs, List.copyOf(runs), Trace::emit);
      }
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING, "the node profile of program=" + program + " is lost", e);
    } finally {
      discard();
    }
  }

  /** Deletes the folder. */
  void discard() {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "delete folder=" + folder, e);
    }
  }
}
