/** The models that are measured, with the shapes at which they are. */
@NullMarked
package dev.millrace.samples.models;

import org.jspecify.annotations.NullMarked;
