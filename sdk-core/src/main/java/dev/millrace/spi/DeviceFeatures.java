package dev.millrace.spi;

/**
 * What a device can do beyond the minimum.
 *
 * @param adoption whether streams and memory of other libraries can be taken over
 * @param capture whether work can be captured on a stream and replayed
 * @param hostFunctions whether an engine's work runs as host functions, in host memory
 */
public record DeviceFeatures(boolean adoption, boolean capture, boolean hostFunctions) {}
