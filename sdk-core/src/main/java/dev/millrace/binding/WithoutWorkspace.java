package dev.millrace.binding;

import dev.millrace.handle.StreamHandle;

/** A participant whose moves need no events. */
record WithoutWorkspace(StreamBound bound) implements StreamBound {
  @Override
  public String name() {
    return bound.name();
  }

  @Override
  public StreamHandle stream() {
    return bound.stream();
  }

  @Override
  public boolean hasWorkspace() {
    return false;
  }

  @Override
  public void setStream(StreamHandle stream) {
    bound.setStream(stream);
  }
}
