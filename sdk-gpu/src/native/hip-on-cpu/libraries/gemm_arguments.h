// What the library passes to its matrix-multiplication kernels: included by both.
#pragma once

/** An operand by columns; strides count elements. */
struct GemmMatrix {
  const void* data;
  long long rowStride;
  long long columnStride;
  long long batchStride;
};

/** D = alpha A B + beta C, with A m×k, B k×n, C and D m×n; transposes are in the strides. */
struct GemmArguments {
  int m, n, k;
  float alpha, beta;
  /** Read when the kernel runs, instead of the two above; null where those hold. */
  const float* deviceAlpha;
  const float* deviceBeta;
  GemmMatrix a, b, c, d;
  float* workspace;
  unsigned long long workspaceBytes;
};
