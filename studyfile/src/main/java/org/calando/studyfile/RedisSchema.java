package org.calando.studyfile;

import static org.calando.schema.Types.list;
import static org.calando.schema.Types.text;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.schema.Key;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Values;
import org.calando.store.redis.RedisNode;

/** What is said of a user's own Redis, in studies and elsewhere. */
final class RedisSchema {
  /** Where Redis listens unless it is told otherwise. */
  static final int PORT = 6379;

  /** What the files that come with Redis call it; no default, as it holds only with Sentinels. */
  private static final String USUAL_NAME = "mymaster";

  private static final int SENTINEL_PORT = 26_379;
  private static final int MOST_SENTINELS = 25;

  private static final String HOST = "[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\]";
  private static final Pattern ADDRESS = Pattern.compile("(" + HOST + ")(?::(\\d{1,5}))?");

  private static final ScalarType<RedisNode> SENTINEL =
      new ScalarType<>(
          "an address",
          "HOST:PORT, or HOST for port " + SENTINEL_PORT,
          scalar -> sentinel(scalar.text()),
          RedisNode::address,
          Map.of("type", "string", "pattern", "^(" + HOST + ")(:\\d{1,5})?$"));

  static final Key<List<RedisNode>> SENTINELS =
      Key.of(
              "sentinels",
              list(SENTINEL, 1, MOST_SENTINELS),
              "Redis: Sentinels of your own group; its nodes are in the inventory all the same, and"
                  + " must be those that the Sentinels know.")
          .example("[10.0.0.7:26379, 10.0.0.8:26379, 10.0.0.9:26379]");
  static final Key<String> MASTER_NAME =
      Key.of(
              "master-name",
              text("a name", "[A-Za-z0-9._-]{1,100}", "letters, digits, . _ - (at most 100)"),
              "Redis: the name under which the Sentinels know the master; mymaster without it.")
          .example("mymaster");
  static final Key<String> SENTINEL_USER =
      Key.of(
              "sentinel-user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "Redis: ACL user of the Sentinels themselves; without it their default user.")
          .example("calando");
  static final Key<String> SENTINEL_PASSWORD_FILE =
      Key.of(
              "sentinel-password-file",
              TlsSchema.PATH,
              "Redis: file whose first line is the Sentinels' own password, where they ask for one.")
          .example("secrets/sentinel");

  private RedisSchema() {}

  private static RedisNode sentinel(String text) throws Refusal {
    Matcher parts = ADDRESS.matcher(text);
    int port = SENTINEL_PORT;
    if (parts.matches() && parts.group(2) != null) {
      port = Integer.parseInt(parts.group(2));
    }
    if (!parts.matches() || port < 1 || port > 65_535) {
      throw new Refusal("is not an address", "write HOST:PORT, such as 10.0.0.7:26379");
    }
    return new RedisNode(text, parts.group(1).replaceAll("[\\[\\]]", ""), port);
  }

  /** Checks what is said of Sentinels beside a group's own nodes. */
  static void checkSentinels(Values values, Key<InventorySpec> inventory) {
    if (!values.given(SENTINELS)) {
      values.forbid(
          "holds only with sentinels", MASTER_NAME, SENTINEL_USER, SENTINEL_PASSWORD_FILE);
    }
    if (values.given(SENTINEL_USER) && !values.given(SENTINEL_PASSWORD_FILE)) {
      values.error(SENTINEL_USER, "has no password", "add sentinel-password-file");
    }
    Set<String> nodes = new HashSet<>();
    values
        .find(inventory)
        .map(given -> given.orPort(PORT))
        .ifPresent(given -> given.nodes().forEach(node -> nodes.add(address(node))));
    Set<String> seen = new HashSet<>();
    List<RedisNode> sentinels = values.find(SENTINELS).orElse(List.of());
    for (int i = 0; i < sentinels.size(); i++) {
      String path = SENTINELS.name() + "[" + i + "]";
      String address = sentinels.get(i).address();
      if (nodes.contains(address)) {
        values.errorAt(
            path, address + " is a node of the inventory", "give the Sentinel's own port");
      } else if (!seen.add(address)) {
        values.errorAt(path, address + " is listed already", "list each Sentinel once");
      }
    }
  }

  /** Checks user and password of the nodes; the password alone is the default user's. */
  static void checkPassword(Values values) {
    values.requireAtMostOne(StoreSchema.PASSWORD_FILE, StoreSchema.PASSWORD_ENV);
    if (values.given(StoreSchema.USER) && !hasPassword(values)) {
      values.error(StoreSchema.USER, "has no password", "add password-file or password-env");
    }
  }

  private static boolean hasPassword(Values values) {
    return values.given(StoreSchema.PASSWORD_FILE) || values.given(StoreSchema.PASSWORD_ENV);
  }

  /** User and password of the nodes, if the file has any. */
  static Optional<StoreSpec.Credentials> credentials(Values values) {
    return hasPassword(values)
        ? Optional.of(
            new StoreSpec.Credentials(
                values.find(StoreSchema.USER).orElse(""),
                values.find(StoreSchema.PASSWORD_FILE),
                values.find(StoreSchema.PASSWORD_ENV)))
        : Optional.empty();
  }

  private static String address(InventorySpec.Node node) {
    return node.address() + ":" + node.port();
  }

  /** Who tells the master, if the file names them. */
  static Optional<SentinelSpec> sentinels(Values values) {
    return values
        .find(SENTINELS)
        .map(
            these ->
                new SentinelSpec(
                    these,
                    values.find(MASTER_NAME).orElse(USUAL_NAME),
                    values
                        .find(SENTINEL_PASSWORD_FILE)
                        .map(
                            file ->
                                new StoreSpec.Credentials(
                                    values.find(SENTINEL_USER).orElse(""),
                                    Optional.of(file),
                                    Optional.empty()))));
  }
}
