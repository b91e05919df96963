package org.calando.engine.hbase;

import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.text;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What an inventory says of an HBase. */
final class HBaseClusterSchema {
  /** Where a RegionServer takes calls unless it is told otherwise. */
  static final int PORT = 16_020;

  private static final int ZOOKEEPER_PORT = 2_181;
  private static final int MOST_ZOOKEEPERS = 15;
  private static final int MOST_OTHERS = 100;

  private static final String HOST = "[A-Za-z0-9_.-]{1,253}";
  private static final Pattern ADDRESS = Pattern.compile("(" + HOST + ")(?::(\\d{1,5}))?");

  private static final ScalarType<String> ZOOKEEPER =
      new ScalarType<>(
          "an address",
          "HOST:PORT, or HOST for port " + ZOOKEEPER_PORT,
          scalar -> zookeeper(scalar.text()),
          address -> address,
          Map.of("type", "string", "pattern", "^" + HOST + "(:\\d{1,5})?$"));

  private static final Key<List<String>> QUORUM =
      Key.of("quorum", distinctList(ZOOKEEPER, 1, MOST_ZOOKEEPERS), "The servers of its ZooKeeper.")
          .mandatory()
          .example("[\"10.0.0.1:2181\", \"10.0.0.2:2181\"]");
  private static final Key<String> ZNODE =
      Key.of(
              "znode",
              text("a path in ZooKeeper", "/[A-Za-z0-9_./-]{1,200}", "one that begins with /"),
              "Where in ZooKeeper the cluster is: its zookeeper.znode.parent.")
          .byDefault("/hbase")
          .example("/hbase-prod");
  private static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "The user that calls HBase, for clusters without Kerberos; without it the"
                  + " user who runs the command.")
          .example("calando");
  private static final Key<List<String>> OTHERS =
      Key.of(
              "others",
              distinctList(Types.NAME, 1, MOST_OTHERS),
              "Nodes without a RegionServer, such as those of the master, ZooKeeper and the"
                  + " NameNode: no load goes to them, and their joules count.")
          .example("[m1]");

  static final ObjectType<HBaseSpec> TYPE =
      ObjectType.named(
              "an HBase",
              "How an HBase of the user's own is reached. All its RegionServers are listed as nodes,"
                  + " by the names that they call themselves.")
          .keys(QUORUM, ZNODE, USER, OTHERS)
          .build(HBaseClusterSchema::spec);

  private HBaseClusterSchema() {}

  private static String zookeeper(String text) throws Refusal {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      throw new Refusal("is not an address", "write HOST:PORT, such as 10.0.0.1:2181");
    }
    int port = parts.group(2) == null ? ZOOKEEPER_PORT : Integer.parseInt(parts.group(2));
    if (port < 1 || port > 65_535) {
      throw new Refusal("has no possible port", "write a port of 1 to 65535");
    }
    return parts.group(1) + ":" + port;
  }

  private static HBaseSpec spec(Values values) {
    return new HBaseSpec(
        values.get(QUORUM),
        values.get(ZNODE),
        values.find(USER),
        values.find(OTHERS).orElse(List.of()));
  }
}
