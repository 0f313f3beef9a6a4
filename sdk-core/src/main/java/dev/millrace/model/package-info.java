/** What is loaded, and the options it is loaded with. */
@NullMarked
package dev.millrace.model;

import org.jspecify.annotations.NullMarked;
