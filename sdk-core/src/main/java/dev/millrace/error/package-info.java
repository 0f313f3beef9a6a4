/** The three unchecked exceptions of Millrace; misuse is a JDK exception. */
@NullMarked
package dev.millrace.error;

import org.jspecify.annotations.NullMarked;
