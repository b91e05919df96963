package org.calando.ycsb;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.Nearest;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.HarmonyPolicy;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.PolicyFactory;
import org.jspecify.annotations.Nullable;

/*
 *   hosts                            cassandra.hosts, else hosts: names or addresses, with commas
 *   port                             cassandra.port, 9042
 *   cassandra.datacenter             datacenter1
 *   cassandra.keyspace               ycsb
 *   cassandra.username               none: no login
 *   calando.passwordfile             file whose first line is the password; else the variable
 *                                    CALANDO_PASSWORD
 *   cassandra.readconsistencylevel   none: adaptive; else the level of all reads
 *   cassandra.writeconsistencylevel  ONE
 *   calando.tolerate                 0.05
 *   calando.policy                   pbs | harmony-exact | harmony | static:REPLICAS
 *   table                            usertable, as YCSB's own
 */
/**
 * What YCSB's properties say; those that its own Cassandra binding knows have that binding's names.
 * Immutable.
 *
 * @param readLevel the level of all reads; empty if they are adaptive
 */
record ClientSettings(
    List<InetSocketAddress> hosts,
    String dataCentre,
    String keyspace,
    String table,
    Optional<Login> login,
    Optional<ConsistencyLevel> readLevel,
    ConsistencyLevel writeLevel,
    double tolerated,
    PolicyFactory policy) {
  private static final String OURS = "calando.";
  private static final String TOLERATE = OURS + "tolerate";
  private static final String POLICY = OURS + "policy";
  private static final String PASSWORD_FILE = OURS + "passwordfile";
  private static final String PASSWORD_VARIABLE = "CALANDO_PASSWORD";

  /** A user; shown nowhere. */
  static final class Login {
    private final String user;
    private final String password;

    Login(String user, String password) {
      this.user = user;
      this.password = password;
    }

    String user() {
      return user;
    }

    String password() {
      return password;
    }
  }

  /**
   * Reads the properties.
   *
   * @throws BadRequestException with all that is wrong
   */
  static ClientSettings of(Properties properties, Map<String, String> environment) {
    List<String> problems = unknown(properties);
    List<InetSocketAddress> hosts = hosts(properties, problems);
    Optional<Login> login = login(properties, environment, problems);
    Optional<ConsistencyLevel> read =
        Optional.ofNullable(properties.getProperty("cassandra.readconsistencylevel"))
            .map(text -> level("cassandra.readconsistencylevel", text, problems));
    ConsistencyLevel write =
        level(
            "cassandra.writeconsistencylevel",
            properties.getProperty("cassandra.writeconsistencylevel", "ONE"),
            problems);
    double tolerated = share(properties.getProperty(TOLERATE, "0.05"), problems);
    PolicyFactory policy = policy(properties.getProperty(POLICY, "pbs"), problems);
    if (!problems.isEmpty()) {
      throw new BadRequestException(
          String.join("\n    ", problems), "YCSB's properties", "change these, with -p or -P");
    }
    return new ClientSettings(
        hosts,
        properties.getProperty("cassandra.datacenter", "datacenter1"),
        properties.getProperty("cassandra.keyspace", "ycsb"),
        properties.getProperty("table", "usertable"),
        login,
        read,
        write,
        tolerated,
        policy);
  }

  /** YCSB passes on whatever it is given: a misspelled name would silently mean the default. */
  private static List<String> unknown(Properties properties) {
    List<String> known = List.of(TOLERATE, POLICY, PASSWORD_FILE);
    return properties.stringPropertyNames().stream()
        .filter(name -> name.startsWith(OURS) && !known.contains(name))
        .sorted()
        .map(name -> name + ": there is no such property; " + advice(name, known))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static String advice(String name, List<String> known) {
    List<String> ends = known.stream().map(each -> each.substring(OURS.length())).toList();
    return Nearest.of(name.substring(OURS.length()), ends)
        .map(near -> "did you mean " + OURS + near + "?")
        .orElse("use one of " + String.join(", ", known));
  }

  private static List<InetSocketAddress> hosts(Properties properties, List<String> problems) {
    String text = properties.getProperty("cassandra.hosts", properties.getProperty("hosts", ""));
    int port =
        (int)
            number(
                "cassandra.port",
                properties.getProperty("cassandra.port", "9042"),
                1,
                65535,
                problems);
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String host : text.split(",", -1)) {
      InetSocketAddress address = new InetSocketAddress(host.strip(), Math.max(1, port));
      if (host.isBlank() || address.isUnresolved()) {
        problems.add("hosts: '" + host.strip() + "' is no host");
      }
      hosts.add(address);
    }
    return List.copyOf(hosts);
  }

  private static Optional<Login> login(
      Properties properties, Map<String, String> environment, List<String> problems) {
    String user = properties.getProperty("cassandra.username");
    if (user == null) {
      if (properties.containsKey(PASSWORD_FILE)) {
        problems.add(PASSWORD_FILE + ": whose password is it? Give cassandra.username too");
      }
      return Optional.empty();
    }
    if (properties.containsKey("cassandra.password")) {
      problems.add(
          "cassandra.password: others could read it in the list of processes; put it into a file"
              + " (calando.passwordfile) or into the variable "
              + PASSWORD_VARIABLE);
    }
    String file = properties.getProperty(PASSWORD_FILE);
    @Nullable String password = environment.get(PASSWORD_VARIABLE);
    if (file != null) {
      try (BufferedReader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
        password = reader.readLine();
      } catch (IOException e) {
        problems.add("calando.passwordfile: " + file + " cannot be read");
        password = "";
      }
    }
    if (password == null) {
      problems.add(
          "cassandra.username: its password is in neither calando.passwordfile nor "
              + PASSWORD_VARIABLE);
      return Optional.empty();
    }
    return Optional.of(new Login(user, password));
  }

  private static ConsistencyLevel level(String key, String text, List<String> problems) {
    try {
      return ConsistencyLevel.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      problems.add(key + ": '" + text + "' is none of " + List.of(ConsistencyLevel.values()));
      return ConsistencyLevel.ALL;
    }
  }

  private static double share(String text, List<String> problems) {
    boolean percent = text.endsWith("%");
    String digits = percent ? text.substring(0, text.length() - 1) : text;
    double value = number(TOLERATE, digits, 0, percent ? 100 : 1, problems);
    return percent ? value / 100 : value;
  }

  private static double number(
      String key, String text, double low, double high, List<String> problems) {
    try {
      double value = Double.parseDouble(text);
      if (value >= low && value <= high) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    problems.add("%s: '%s' is not from %s to %s".formatted(key, text, low, high));
    return low;
  }

  private static PolicyFactory policy(String text, List<String> problems) {
    return switch (text) {
      case "pbs" ->
          (table, tolerated, safe, local) ->
              new PbsPolicy(AdaptiveConfig.of(tolerated).withLevels(local, safe));
      case "harmony-exact" ->
          (table, tolerated, safe, local) ->
              new HarmonyExactPolicy(AdaptiveConfig.of(tolerated).withLevels(local, safe));
      case "harmony" ->
          (table, tolerated, safe, local) ->
              new HarmonyPolicy(AdaptiveConfig.published(tolerated).withLevels(local, safe));
      default -> fixed(text, problems);
    };
  }

  private static PolicyFactory fixed(String text, List<String> problems) {
    if (text.matches("static:[1-9]")) {
      int replicas = text.charAt(text.length() - 1) - '0';
      return (table, tolerated, safe, local) -> new StaticPolicy(ReadChoice.of(replicas));
    }
    problems.add(
        "calando.policy: '" + text + "' is none of pbs, harmony-exact, harmony, static:REPLICAS");
    return (table, tolerated, safe, local) -> new StaticPolicy(ReadChoice.of(safe.replicas()));
  }
}
