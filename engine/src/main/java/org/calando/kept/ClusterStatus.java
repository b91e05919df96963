package org.calando.kept;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.time.Spoken;

/**
 * How a cluster on this machine is: for programs and for people, in the order in which its engine
 * adds it. Not thread safe.
 */
public final class ClusterStatus {

  private final String engine;
  private final String name;
  private final String column;
  private final int columnWidth;
  private final ObjectNode json = new ObjectMapper().createObjectNode();
  private final List<String> lines = new ArrayList<>();
  private boolean up = true;
  private String lacking = "";

  /**
   * A server.
   *
   * @param pid its process, or 0
   * @param state in one word, or a few
   * @param started when, if it runs
   */
  public record Server(
      String name,
      String address,
      int port,
      long pid,
      boolean running,
      String state,
      Optional<Instant> started) {
    /** The state of a server that is neither off by order nor another's. */
    public static String state(boolean running, boolean up) {
      return up ? "up" : running ? "starting" : "down";
    }
  }

  /**
   * A status without servers.
   *
   * @param name the heading of servers' names, as wide as these may be
   * @param column the heading of what else is shown of each, as wide as that may be; empty for
   *     nothing
   */
  public ClusterStatus(String engine, String name, String column) {
    this.engine = engine;
    this.name = name;
    this.column = column.strip();
    this.columnWidth = column.length();
    json.put("engine", engine);
    lines.add((name + " " + row("address:port", column, "pid", "state", "uptime")).stripTrailing());
  }

  private String row(String address, String shown, String pid, String state, String uptime) {
    String own = columnWidth == 0 ? "" : String.format("%-" + columnWidth + "s ", shown);
    return String.format(Locale.ROOT, "%-21s %s%-8s %-8s %s", address, own, pid, state, uptime);
  }

  /** Id of its engine. */
  public String engine() {
    return engine;
  }

  /** Tells programs something. */
  public ClusterStatus put(String key, Object value) {
    json.put(key, value.toString());
    return this;
  }

  /** What programs are told, to be added to. */
  public ObjectNode json() {
    return json;
  }

  /** Adds a line for people. */
  public ClusterStatus line(String text) {
    lines.add(text);
    return this;
  }

  /** Adds a file for people, with what stands in it. */
  public ClusterStatus file(String what, Object path, String text) {
    lines.add(what + " (" + path + "):");
    text.lines().forEach(line -> lines.add("  " + line));
    return this;
  }

  /** Adds a node whose column is told to programs by the column's name. */
  public ClusterStatus node(Server server, String shown) {
    return node(server, shown, node -> node.put(column, shown));
  }

  /**
   * Adds a node.
   *
   * @param shown what stands in the column of its own
   * @param more adds what programs are told besides
   */
  public ClusterStatus node(Server server, String shown, Consumer<ObjectNode> more) {
    ObjectNode node = json.withArray("nodes").addObject();
    node.put("node", server.name());
    node.put("address", server.address());
    node.put("port", server.port());
    more.accept(node);
    node.put("pid", server.pid());
    node.put("state", server.state());
    return row(server, shown);
  }

  /** Adds a server for people alone. */
  public ClusterStatus row(Server server, String shown) {
    String uptime =
        server.started().map(at -> Spoken.of(Duration.between(at, Instant.now()))).orElse("-");
    lines.add(
        String.format("%-" + name.length() + "s ", server.name())
            + row(
                server.address() + ":" + server.port(),
                shown,
                server.running() ? Long.toString(server.pid()) : "-",
                server.state(),
                uptime));
    return this;
  }

  /**
   * Adds what serves in place of its servers and is another's.
   *
   * @param servers in place of which
   * @param says what each is, in their order
   * @param remedy what to do
   */
  public ClusterStatus strangers(List<String> servers, List<String> says, String remedy) {
    ArrayNode findings = json.putArray("findings");
    for (int i = 0; i < servers.size(); i++) {
      findings
          .addObject()
          .put("what", servers.get(i))
          .put("well", false)
          .put("says", says.get(i))
          .put("remedy", remedy);
      lines.add("WRONG   " + servers.get(i) + ": " + says.get(i));
      lines.add("        remedy: " + remedy);
    }
    return this;
  }

  /** Says whether all that is to be up is. */
  public ClusterStatus up(boolean all) {
    up = all;
    return this;
  }

  /** Says which servers are to be up and are not, if any, and what starts them. */
  public ClusterStatus lacking(List<String> servers, String remedy) {
    lacking =
        servers.isEmpty()
            ? ""
            : String.join(", ", servers)
                + (servers.size() == 1 ? " is" : " are")
                + " not up; "
                + remedy;
    return this;
  }

  /** The remedy of a cluster whose servers no command starts by themselves. */
  public String again() {
    return "./calando local stop %s, then ./calando local start %s: its data are removed"
        .formatted(engine, engine);
  }

  /** Whether all that is to be up is. */
  public boolean isUp() {
    return up;
  }

  /** What is to be up and is not, and what starts it, in one line; empty if nothing. */
  public Optional<String> lacking() {
    return Optional.of(lacking).filter(text -> !text.isEmpty());
  }

  /** All for people, what is not up last. */
  public List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    lacking().ifPresent(all::add);
    return all;
  }
}
