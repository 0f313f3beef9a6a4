/**
 * Kernels written in HIP and compiled while the application runs, and matrix products of rocBLAS.
 *
 * <p>Experimental: names and signatures may change in any release.
 */
@NullMarked
package dev.millrace.gpu.kernel;

import org.jspecify.annotations.NullMarked;
