package dev.millrace.model;

import java.util.Objects;

/**
 * A setting that one engine alone understands, with the type of its value. Engines publish theirs
 * as constants. Immutable; two options of one name and type are the same option.
 *
 * @param <T> the type of the value
 */
public final class EngineOption<T> {
  private final String name;
  private final Class<T> type;

  private EngineOption(String name, Class<T> type) {
    this.name = name;
    this.type = type;
  }

  /**
   * Names an option.
   *
   * @param <T> the type of its value
   * @param name engine and setting, for example {@code onnxruntime.optimization}
   * @param type the class of its value
   * @return the option
   * @throws IllegalArgumentException if the name is blank
   */
  public static <T> EngineOption<T> of(String name, Class<T> type) {
    Objects.requireNonNull(type, "type");
    if (name.isBlank()) {
      throw new IllegalArgumentException("engine option name is blank");
    }
    return new EngineOption<>(name, type);
  }

  /**
   * Its name.
   *
   * @return engine and setting
   */
  public String name() {
    return name;
  }

  /**
   * The class of its value.
   *
   * @return the class
   */
  public Class<T> type() {
    return type;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EngineOption<?> option
        && name.equals(option.name)
        && type.equals(option.type);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
