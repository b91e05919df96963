package org.calando.session.internal;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** When what is to be done next, and what has not been answered yet. One thread at a time. */
final class DeedTimes {
  private final Map<Deed, Long> due = new EnumMap<>(Deed.class);
  private final Set<Deed> underWay = EnumSet.noneOf(Deed.class);

  void at(Deed deed, long nanos) {
    due.put(deed, nanos);
  }

  /** Forgets what is due; what is under way stays so. */
  void clear() {
    due.clear();
  }

  void cancel(Deed deed) {
    due.remove(deed);
  }

  boolean isExpected(Deed deed) {
    return due.containsKey(deed) || underWay.contains(deed);
  }

  /** Takes what is due, but for what is not answered yet. */
  Set<Deed> begin(long now) {
    Set<Deed> begun = EnumSet.noneOf(Deed.class);
    due.forEach(
        (deed, at) -> {
          boolean mayBegin =
              !underWay.contains(deed)
                  // Or what gives a lease up could come behind what takes it again.
                  && !(deed == Deed.TAKE && underWay.contains(Deed.LEAVE));
          if (now - at >= 0 && mayBegin) {
            begun.add(deed);
          }
        });
    due.keySet().removeAll(begun);
    underWay.addAll(begun);
    return begun;
  }

  void ended(Deed deed) {
    underWay.remove(deed);
  }

  @Override
  public String toString() {
    return "due " + due + ", under way " + underWay;
  }
}
