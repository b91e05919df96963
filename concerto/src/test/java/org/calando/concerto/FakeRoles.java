package org.calando.concerto;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;

/** Nodes that are what a test says. Thread safe. */
final class FakeRoles implements RoleSource {
  private final Map<String, NodeView> views = new TreeMap<>();
  private Consumer<RoleEvent> listener = event -> {};
  private RuntimeException failure;
  private boolean closed;

  /** For {@link PowerManager#start}. */
  synchronized RoleSource watch(Consumer<RoleEvent> told) {
    listener = told;
    return this;
  }

  synchronized FakeRoles master(String node, long pid, long atNanos) {
    views.put(node, view(node, pid, Role.MASTER, atNanos));
    return this;
  }

  synchronized FakeRoles replica(String node, long pid, long atNanos) {
    views.put(node, view(node, pid, Role.REPLICA, atNanos));
    return this;
  }

  /** From now on nobody can ask for the roles; null: anybody can. */
  synchronized void failWith(RuntimeException why) {
    failure = why;
  }

  /** Tells a change, as the watch does. */
  void tell(RoleEvent.Kind kind, String node, long atNanos) {
    NodeRole now = view().stream().filter(v -> v.node().equals(node)).findFirst().get().word();
    listener.accept(new RoleEvent(kind, now, NodeRole.unknown(node, atNanos), atNanos));
  }

  /** The same when nobody can ask. */
  void tellAnything() {
    NodeRole any = NodeRole.unknown("r", 0);
    listener.accept(new RoleEvent(RoleEvent.Kind.LINK, any, any, 0));
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private static NodeView view(String node, long pid, Role role, long atNanos) {
    boolean master = role == Role.MASTER;
    OptionalLong lag = master ? OptionalLong.empty() : OptionalLong.of(0);
    NodeRole word = new NodeRole(node, pid, "first", role, master ? "" : "m", true, 0, 0, atNanos);
    return new NodeView(word, master, false, false, lag, lag);
  }

  @Override
  public synchronized List<NodeView> view() {
    if (failure != null) {
      throw failure;
    }
    return new ArrayList<>(views.values());
  }

  @Override
  public List<String> problems() {
    return List.of("n9 does not answer");
  }

  @Override
  public long cpuNanos() {
    return 7_000_000_000L;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
