package dev.millrace.model;

import dev.millrace.tensor.Shape;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** How a model is loaded. Immutable: each {@code with} method returns a copy. */
public final class CompileOptions {
  /** More lanes than any device runs at once; a larger number is taken for a slip. */
  public static final int MAX_LANES = 1024;

  /** More than any machine runs at once, and few enough to be started. */
  private static final int MOST_THREADS = 1024;

  private static final CompileOptions DEFAULTS =
      new CompileOptions(new Limits(1, 0, 0), Map.of(), null, false, Map.of());

  /** The numbers, 0 where nothing was asked for. */
  private record Limits(int lanes, int threadsPerRun, int maxInFlight) {}

  private final Limits limits;
  private final Map<String, Shape> inputShapes;
  private final @Nullable String engine;
  private final boolean nodeProfile;
  private final Map<EngineOption<?>, Object> engineOptions;

  private CompileOptions(
      Limits limits,
      Map<String, Shape> inputShapes,
      @Nullable String engine,
      boolean nodeProfile,
      Map<EngineOption<?>, Object> engineOptions) {
    this.limits = limits;
    this.inputShapes = inputShapes;
    this.engine = engine;
    this.nodeProfile = nodeProfile;
    this.engineOptions = engineOptions;
  }

  /**
   * One lane, everything else the engine's choice.
   *
   * @return the defaults
   */
  public static CompileOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Allows that many runs of the program at a time.
   *
   * @param lanes 1 to {@link #MAX_LANES}; what one costs is the engine's
   * @return a copy with that number
   * @throws IllegalArgumentException if the number is out of range
   */
  public CompileOptions withLanes(int lanes) {
    requireRange("lanes", lanes, MAX_LANES);
    return with(new Limits(lanes, threadsPerRun(), maxInFlight()));
  }

  /**
   * Gives each run that many threads of the host.
   *
   * @param threads 1 to 1024
   * @return a copy with that number
   * @throws IllegalArgumentException if the number is out of range
   */
  public CompileOptions withThreadsPerRun(int threads) {
    requireRange("threadsPerRun", threads, MOST_THREADS);
    return with(new Limits(lanes(), threads, maxInFlight()));
  }

  /**
   * Limits how many runs are in flight; a further submission waits for one to be done. So a host
   * function must not submit to a program with a limit: the run that it waits for may stand behind
   * the function itself.
   *
   * @param runs 1 or more
   * @return a copy with that limit
   * @throws IllegalArgumentException if the number is less than 1
   */
  public CompileOptions withMaxInFlight(int runs) {
    requireRange("maxInFlight", runs, Integer.MAX_VALUE);
    return with(new Limits(lanes(), threadsPerRun(), runs));
  }

  /**
   * Fixes the shape of an input that the model leaves open.
   *
   * @param input the input's name in the model
   * @param shape its shape in every run, each dimension known
   * @return a copy with that shape
   * @throws IllegalArgumentException if a dimension is unknown
   */
  public CompileOptions withInputShape(String input, Shape shape) {
    Objects.requireNonNull(input, "input");
    if (!shape.isStatic()) {
      throw new IllegalArgumentException(
          "input=" + input + " shape=" + shape + ": expected every dimension to be known");
    }
    return new CompileOptions(
        limits, plus(inputShapes, input, shape), engine, nodeProfile, engineOptions);
  }

  /**
   * Asks for one engine where several serve a device.
   *
   * @param name the engine's name, for example {@code onnxruntime}
   * @return a copy with that choice
   * @throws IllegalArgumentException if the name is blank
   */
  public CompileOptions withEngine(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("engine name is blank");
    }
    return new CompileOptions(limits, inputShapes, name, nodeProfile, engineOptions);
  }

  /**
   * Has the engine time each node of the model, where it can; the trace shows them under the
   * program's runs. It slows every run. Engines may tell these times only when the program is given
   * back, as ONNX Runtime does: they are in the trace if the program closes, and its last run ends,
   * before the trace session does.
   *
   * @return a copy with that wish
   */
  public CompileOptions withNodeProfile() {
    return new CompileOptions(limits, inputShapes, engine, true, engineOptions);
  }

  /**
   * Sets an option of an engine's own.
   *
   * @param <T> the type of its value
   * @param option the option, a constant of the engine
   * @param value its value
   * @return a copy with that value
   */
  public <T> CompileOptions with(EngineOption<T> option, T value) {
    Objects.requireNonNull(option, "option");
    T typed = option.type().cast(Objects.requireNonNull(value, "value"));
    return new CompileOptions(
        limits, inputShapes, engine, nodeProfile, plus(engineOptions, option, typed));
  }

  private CompileOptions with(Limits changed) {
    return new CompileOptions(changed, inputShapes, engine, nodeProfile, engineOptions);
  }

  private static <K, V> Map<K, V> plus(Map<K, V> map, K key, V value) {
    Map<K, V> copy = new LinkedHashMap<>(map);
    copy.put(key, value);
    return Collections.unmodifiableMap(copy);
  }

  private static void requireRange(String name, int value, int max) {
    if (value < 1 || value > max) {
      String expected = max == Integer.MAX_VALUE ? "1 or more" : "1 to " + max;
      throw new IllegalArgumentException(name + "=" + value + ": expected " + expected);
    }
  }

  /**
   * How many runs may use the device at a time.
   *
   * @return 1 to {@link #MAX_LANES}
   */
  public int lanes() {
    return limits.lanes();
  }

  /**
   * The threads of the host for each run.
   *
   * @return 1 or more, or 0 for the engine's own choice
   */
  public int threadsPerRun() {
    return limits.threadsPerRun();
  }

  /**
   * How many runs may be in flight.
   *
   * @return 1 or more, or 0 for no limit
   */
  public int maxInFlight() {
    return limits.maxInFlight();
  }

  /**
   * The shapes that were fixed.
   *
   * @return by name of the input, unmodifiable
   */
  public Map<String, Shape> inputShapes() {
    return inputShapes;
  }

  /**
   * The engine that was asked for.
   *
   * @return its name, or empty for the device's default
   */
  public Optional<String> engine() {
    return Optional.ofNullable(engine);
  }

  /**
   * Whether nodes are timed.
   *
   * @return false unless asked for
   */
  public boolean nodeProfile() {
    return nodeProfile;
  }

  /**
   * The value of an option of an engine's own.
   *
   * @param <T> the type of its value
   * @param option the option
   * @return the value, or empty if none was set
   */
  public <T> Optional<T> get(EngineOption<T> option) {
    return Optional.ofNullable(option.type().cast(engineOptions.get(option)));
  }

  /**
   * The options of engines that were set, so that an engine can refuse those it does not know.
   *
   * @return the values by option, unmodifiable
   */
  public Map<EngineOption<?>, Object> engineOptions() {
    return engineOptions;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CompileOptions options
        && limits.equals(options.limits)
        && inputShapes.equals(options.inputShapes)
        && Objects.equals(engine, options.engine)
        && nodeProfile == options.nodeProfile
        && engineOptions.equals(options.engineOptions);
  }

  @Override
  public int hashCode() {
    return Objects.hash(limits, inputShapes, engine, nodeProfile, engineOptions);
  }

  /** What differs from the engine's own choice, as {@code name=value}. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(" ");
    text.add("lanes=" + lanes());
    if (threadsPerRun() > 0) {
      text.add("threadsPerRun=" + threadsPerRun());
    }
    if (maxInFlight() > 0) {
      text.add("maxInFlight=" + maxInFlight());
    }
    engine().ifPresent(name -> text.add("engine=" + name));
    inputShapes.forEach((name, shape) -> text.add("input." + name + "=" + shape));
    if (nodeProfile) {
      text.add("nodeProfile=true");
    }
    engineOptions.forEach((option, value) -> text.add(option + "=" + value));
    return text.toString();
  }
}
