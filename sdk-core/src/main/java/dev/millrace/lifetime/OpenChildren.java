package dev.millrace.lifetime;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What an owner gave out and has to close when it is closed itself. It holds nothing alive: what
 * nobody reaches any more is {@link LeakWatch}'s.
 */
public final class OpenChildren {
  private record Child(
      WeakReference<AutoCloseable> reference, Supplier<List<String>> description) {}

  private final Map<Long, Child> open = new LinkedHashMap<>();
  private long lastTicket;

  /** Makes an empty set. */
  public OpenChildren() {}

  /**
   * Adds something that was opened.
   *
   * @param child what was opened
   * @param description says what it waits for; must not reach the child
   * @return the ticket with which it is removed
   */
  public synchronized long add(AutoCloseable child, Supplier<List<String>> description) {
    open.put(++lastTicket, new Child(new WeakReference<>(child), description));
    return lastTicket;
  }

  /**
   * Removes something that was closed.
   *
   * @param ticket what {@link #add} gave
   */
  public synchronized void remove(long ticket) {
    open.remove(ticket);
  }

  /**
   * What is open.
   *
   * @return the children that are still reachable, last opened first
   */
  public synchronized List<AutoCloseable> newestFirst() {
    List<AutoCloseable> children = new ArrayList<>();
    for (Child one : open.values()) {
      AutoCloseable child = one.reference.get();
      if (child != null) {
        children.add(child);
      }
    }
    return children.reversed();
  }

  /**
   * Whether a child is still open; one that was closed with another is not.
   *
   * @param child what was opened
   * @return false once it was removed
   */
  public synchronized boolean isOpen(AutoCloseable child) {
    return open.values().stream().anyMatch(one -> one.reference.refersTo(child));
  }

  /**
   * What the children wait for.
   *
   * @return their lines, first opened first
   */
  public List<String> describe() {
    List<Child> all;
    synchronized (this) {
      all = List.copyOf(open.values());
    }
    return all.stream().flatMap(child -> child.description.get().stream()).toList();
  }
}
