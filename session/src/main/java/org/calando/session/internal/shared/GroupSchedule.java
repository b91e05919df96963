package org.calando.session.internal.shared;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** When what is to be done next, and what has not been answered yet. One thread at a time. */
final class GroupSchedule {
  private final Map<GroupRequest, Long> due = new EnumMap<>(GroupRequest.class);
  private final Set<GroupRequest> underWay = EnumSet.noneOf(GroupRequest.class);

  void at(GroupRequest request, long nanos) {
    due.put(request, nanos);
  }

  /** Forgets what is due; what is under way stays so. */
  void clear() {
    due.clear();
  }

  void cancel(GroupRequest request) {
    due.remove(request);
  }

  boolean isExpected(GroupRequest request) {
    return due.containsKey(request) || underWay.contains(request);
  }

  /** Takes what is due, but for what is not answered yet. */
  Set<GroupRequest> begin(long now) {
    Set<GroupRequest> begun = EnumSet.noneOf(GroupRequest.class);
    due.forEach(
        (request, at) -> {
          boolean mayBegin =
              !underWay.contains(request)
                  // Or what gives a lease up could come behind what takes it again.
                  && !(request == GroupRequest.TAKE && underWay.contains(GroupRequest.LEAVE));
          if (now - at >= 0 && mayBegin) {
            begun.add(request);
          }
        });
    due.keySet().removeAll(begun);
    underWay.addAll(begun);
    return begun;
  }

  void ended(GroupRequest request) {
    underWay.remove(request);
  }

  @Override
  public String toString() {
    return "due " + due + ", under way " + underWay;
  }
}
