package org.calando.store.hbase.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 * Two values in the table's descriptor make it ours: the mark says that Calando made it, and may drop
 * it; the holder who made it last. The table is made anew for each run, so whoever finds another
 * holder has lost it.
 */
/** The table that Calando made and may drop. Not thread safe. */
public final class OwnTable {
  static final String MARK = "CALANDO_MARK";
  static final String HOLDER = "CALANDO_HOLDER";
  private static final String MADE = "made by calando, version 1";

  /** Regions are split by size, and none gets as large: who wants to can split one by hand. */
  private static final String BY_SIZE =
      "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy";

  private static final long LARGEST_REGION_BYTES = 1L << 50;

  private final AsyncAdmin admin;
  private final Waits waits;
  private final TableName name;
  private final int regions;
  private String holder = UUID.randomUUID().toString();

  /** Nothing is asked or made yet. */
  public OwnTable(AsyncAdmin admin, Waits waits, TableName name, int regions) {
    this.admin = admin;
    this.waits = waits;
    this.name = name;
    this.regions = regions;
  }

  /** Its name. */
  public TableName name() {
    return name;
  }

  /**
   * Makes it exist, be ours and empty.
   *
   * @throws BadRequestException if there is one that Calando did not make, or its namespace is not
   *     Calando's
   */
  public void prepare() {
    makeNamespace();
    if (exists()) {
      requireMarked();
      if (waits.get(admin.isTableEnabled(name), "asking for the table " + name)) {
        waits.done(admin.disableTable(name), "disabling the table " + name);
      }
      waits.done(admin.deleteTable(name), "dropping the table " + name);
    }
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Rows.FAMILY).setMaxVersions(1).build())
            .setValue(MARK, MADE)
            .setValue(HOLDER, holder)
            .setRegionSplitPolicyClassName(BY_SIZE)
            .setMaxFileSize(LARGEST_REGION_BYTES)
            .build();
    waits.done(
        regions == 1 ? admin.createTable(table) : admin.createTable(table, Rows.splits(regions)),
        "making the table " + name);
  }

  /**
   * Uses it as another process of ours has made it.
   *
   * @throws BadRequestException if Calando did not make it
   */
  public void join() {
    holder = text(requireMarked(), HOLDER);
  }

  /** Whether there is a table of the name. */
  public boolean exists() {
    return waits.get(admin.tableExists(name), "asking for the table " + name);
  }

  /** Whether Calando made the table that there is. */
  public boolean isMarked() {
    return isMarked(descriptor());
  }

  private static boolean isMarked(TableDescriptor table) {
    return text(table, MARK).equals(MADE);
  }

  private TableDescriptor descriptor() {
    return waits.get(admin.getDescriptor(name), "asking for the table " + name);
  }

  /** Whether its namespace is there, and Calando did not make it. */
  public boolean isInForeignNamespace() {
    NamespaceDescriptor found = namespace();
    return found != null && !isOurs(found);
  }

  private void makeNamespace() {
    String namespace = name.getNamespaceAsString();
    NamespaceDescriptor found = namespace();
    if (found != null) {
      requireOurs(found);
      return;
    }
    NamespaceDescriptor descriptor =
        NamespaceDescriptor.create(namespace).addConfiguration(Map.of(MARK, MADE)).build();
    try {
      waits.ask(admin.createNamespace(descriptor), "making the namespace " + namespace);
    } catch (NamespaceExistException meanwhile) {
      // Just as well.
    } catch (IOException e) {
      throw waits.failure(e, "making the namespace " + namespace);
    }
  }

  private @Nullable NamespaceDescriptor namespace() {
    String namespace = name.getNamespaceAsString();
    try {
      return waits.ask(
          admin.getNamespaceDescriptor(namespace), "asking for the namespace " + namespace);
    } catch (NamespaceNotFoundException absent) {
      return null;
    } catch (IOException e) {
      throw waits.failure(e, "asking for the namespace " + namespace);
    }
  }

  private static void requireOurs(NamespaceDescriptor found) {
    if (!isOurs(found)) {
      throw new BadRequestException(
          "there is a namespace that Calando did not make",
          found.getName(),
          "choose another keyspace; or make one for it, with %s => '%s'".formatted(MARK, MADE));
    }
  }

  private static boolean isOurs(NamespaceDescriptor found) {
    return MADE.equals(found.getConfigurationValue(MARK));
  }

  private TableDescriptor requireMarked() {
    TableDescriptor table = descriptor();
    if (!isMarked(table)) {
      throw new BadRequestException(
          "there is a table that Calando did not make",
          name.getNameAsString(),
          "choose another keyspace, or drop the table yourself");
    }
    return table;
  }

  /**
   * Makes sure that nobody else has made it anew since.
   *
   * @throws FailedWorkException if somebody has, or dropped it
   */
  public void requireHeld() {
    TableDescriptor table;
    try {
      table = waits.ask(admin.getDescriptor(name), "asking for the table " + name);
    } catch (TableNotFoundException e) {
      throw new FailedWorkException(
          "the table was dropped", name.getNameAsString(), "let one process at a time use it", e);
    } catch (IOException e) {
      throw waits.failure(e, "asking for the table " + name);
    }
    if (!text(table, HOLDER).equals(holder)) {
      throw new FailedWorkException(
          "another process has made the table anew",
          name.getNameAsString(),
          "let one process at a time use a keyspace");
    }
  }

  private static String text(TableDescriptor table, String key) {
    byte[] found = table.getValue(key.getBytes(StandardCharsets.UTF_8));
    return found == null ? "" : new String(found, StandardCharsets.UTF_8);
  }
}
