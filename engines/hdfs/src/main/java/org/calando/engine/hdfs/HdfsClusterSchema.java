package org.calando.engine.hdfs;

import static org.calando.schema.Types.text;

import org.calando.engine.TlsSchema;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What an inventory says of an HDFS with gears. */
final class HdfsClusterSchema {
  private static final Key<String> NAMENODE =
      Key.of(
              "namenode",
              text("a URI", "hdfs://[A-Za-z0-9_.-]{1,253}:\\d{1,5}", "hdfs://HOST:PORT"),
              "The NameNode.")
          .mandatory()
          .example("\"hdfs://10.0.0.1:8020\"");
  private static final Key<String> HTTP =
      Key.of(
              "http",
              text("HOST:PORT", "[A-Za-z0-9_.-]{1,253}:\\d{1,5}", "HOST:PORT"),
              "Where the NameNode shows its counters and settings.")
          .mandatory()
          .example("\"10.0.0.1:9870\"");
  private static final Key<String> HOSTS_FILE =
      Key.of(
              "hosts-file",
              TlsSchema.PATH,
              "The NameNode's dfs.hosts in JSON, as it is found from here; gears write to it."
                  + " Relative to the inventory.")
          .mandatory()
          .example("/etc/hadoop/dfs.hosts.json");
  private static final Key<String> GEAR_FILE =
      Key.of(
              "gear-file",
              TlsSchema.PATH,
              "The NameNode's calando.gear.file, as it is found from here; gears write to it."
                  + " Relative to the inventory.")
          .mandatory()
          .example("/etc/hadoop/gears.json");
  private static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "HDFS's superuser; without it the user who runs the command.")
          .example("hdfs");

  static final ObjectType<HdfsSpec> TYPE =
      ObjectType.named("an HDFS", "How the NameNode of a cluster with gears is reached.")
          .keys(NAMENODE, HTTP, HOSTS_FILE, GEAR_FILE, USER)
          .build(HdfsClusterSchema::spec);

  private HdfsClusterSchema() {}

  private static HdfsSpec spec(Values values) {
    return new HdfsSpec(
        values.get(NAMENODE),
        values.get(HTTP),
        values.get(HOSTS_FILE),
        values.get(GEAR_FILE),
        values.find(USER));
  }
}
