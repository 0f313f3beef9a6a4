/** What tests need to know of the stand-in for HIP that they run over. */
@NullMarked
package dev.millrace.gpu.testing;

import org.jspecify.annotations.NullMarked;
