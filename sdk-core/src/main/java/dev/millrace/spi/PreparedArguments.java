package dev.millrace.spi;

/**
 * Tensors in the form that an engine passes to its library, made once and used for many runs. The
 * caller keeps the tensors' memory alive as long as this is open.
 */
public interface PreparedArguments extends AutoCloseable {

  /** Gives the engine's form back, not the tensors. Called when no run uses it. */
  @Override
  void close();
}
