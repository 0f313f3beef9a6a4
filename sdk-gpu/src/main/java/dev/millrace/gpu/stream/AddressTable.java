package dev.millrace.gpu.stream;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds the object behind an address, as a hash map would, but without an object for the key: a
 * look-up is on the path of every call, takes no lock and allocates nothing.
 */
final class AddressTable<T> {
  private static final int FIRST_SIZE = 64;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Open addressing; a place whose address has no object stays taken until the table grows. */
  private record Places<T>(AtomicLongArray addresses, AtomicReferenceArray<@Nullable T> objects) {
    Places(int size) {
      this(new AtomicLongArray(size), new AtomicReferenceArray<>(size));
    }

    /** Where an address is, or would be. */
    int find(long address) {
      int mask = addresses.length() - 1;
      int place = (int) ((address * SPREAD) >>> Integer.SIZE) & mask;
      while (true) {
        long there = addresses.get(place);
        if (there == address || there == 0) {
          return place;
        }
        place = (place + 1) & mask;
      }
    }

    /** The object first: whoever sees the address sees what stands behind it. */
    boolean put(long address, T object) {
      int place = find(address);
      boolean isNew = addresses.get(place) == 0;
      objects.set(place, object);
      addresses.set(place, address);
      return isNew;
    }
  }

  private volatile Places<T> places = new Places<>(FIRST_SIZE);
  private int taken;

  @Nullable T get(long address) {
    Places<T> seen = places;
    int place = seen.find(address);
    return seen.addresses.get(place) == address ? seen.objects.get(place) : null;
  }

  synchronized void put(long address, T object) {
    if (2 * (taken + 1) > places.addresses.length()) {
      grow();
    }
    if (places.put(address, object)) {
      taken++;
    }
  }

  private void grow() {
    Places<T> old = places;
    Places<T> wider = new Places<>(old.addresses.length() * 2);
    taken = 0;
    for (int i = 0; i < old.addresses.length(); i++) {
      T object = old.objects.get(i);
      if (object != null) {
        wider.put(old.addresses.get(i), object);
        taken++;
      }
    }
    places = wider;
  }

  /** Takes an address out; null if it was not there. */
  synchronized @Nullable T remove(long address) {
    int place = places.find(address);
    return places.addresses.get(place) == address ? places.objects.getAndSet(place, null) : null;
  }
}
