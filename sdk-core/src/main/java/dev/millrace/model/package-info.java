/** What is loaded, and how. */
@NullMarked
package dev.millrace.model;

import org.jspecify.annotations.NullMarked;
