package dev.millrace.error;

import org.jspecify.annotations.Nullable;

/** A model cannot be read, or is of a kind that the chosen engine cannot run. */
public final class ModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The model's name. */
  private final String model;

  /** What is wrong with it. */
  private final String reason;

  /**
   * Names the model and what is wrong with it.
   *
   * @param model the model's name, usually its path
   * @param reason one sentence
   */
  public ModelException(String model, String reason) {
    this(model, reason, null);
  }

  /**
   * Names the model, what is wrong with it, and what the engine threw.
   *
   * @param model the model's name, usually its path
   * @param reason one sentence
   * @param cause what the engine threw
   */
  public ModelException(String model, String reason, @Nullable Throwable cause) {
    super("load model=" + model + ": " + reason, cause);
    this.model = model;
    this.reason = reason;
  }

  /**
   * Which model.
   *
   * @return its name, usually its path
   */
  public String model() {
    return model;
  }

  /**
   * What is wrong with it.
   *
   * @return one sentence
   */
  public String reason() {
    return reason;
  }
}
