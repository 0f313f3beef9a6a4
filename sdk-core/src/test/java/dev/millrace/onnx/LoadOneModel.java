package dev.millrace.onnx;

import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.tensor.Tensor;
import java.nio.file.Path;

/** Runs the model of the first argument twice, from loading on, and prints what became of each. */
public final class LoadOneModel {
  private LoadOneModel() {}

  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      System.out.println(outcome(Model.onnx(Path.of(arguments[0]))));
    }
  }

  private static String outcome(Model model) {
    CompileOptions options = CompileOptions.defaults().withNodeProfile();
    try (Device host = Device.open("host");
        Program program = Program.load(model, host, options);
        Arguments io = program.arguments();
        Tensor _ = io.input(0);
        Run _ = program.run(io)) {
      return "ran";
    } catch (RuntimeException | Error e) {
      return e.toString();
    }
  }
}
