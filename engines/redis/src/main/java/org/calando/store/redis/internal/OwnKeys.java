package org.calando.store.redis.internal;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.TableSpec;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 *   PREFIX:TABLE          the mark: these keys are Calando's, and may be deleted
 *   PREFIX:TABLE:claim    who uses them now; lapses after a minute
 *   PREFIX:TABLE:ID       the records
 *
 * Keys that begin so without the mark are somebody else's.
 */
/** The keys that Calando made and may delete. Thread safe. */
public final class OwnKeys implements AutoCloseable {
  private static final String MARK = "made by calando, version 1";
  private static final long CLAIM_MILLIS = 60_000;
  private static final long RENEW_MILLIS = 15_000;
  private static final int SCANNED = 1000;

  private final LiveNodes nodes;
  private final String prefix;
  private final byte[] token = bytes(UUID.randomUUID().toString());
  private final ScheduledExecutorService renewer;
  private @Nullable String held;
  private long heldUntilNanos;
  private @Nullable String lost;

  /** Nothing is asked or written yet. */
  public OwnKeys(LiveNodes nodes, String prefix) {
    this.nodes = nodes;
    this.prefix = prefix;
    renewer = DaemonThread.scheduler("calando-redis-claim");
    var unused =
        renewer.scheduleAtFixedRate(
            this::renewQuietly, RENEW_MILLIS, RENEW_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What the keys of a table's records begin with. */
  public String recordPrefix(TableSpec table) {
    return name(table) + ":";
  }

  private String name(TableSpec table) {
    return prefix + ":" + table.name();
  }

  /**
   * Makes sure that a table's keys are this process's own, and that there are none.
   *
   * @throws BadRequestException if there are some that Calando did not make, or another process
   *     uses them
   * @throws FailedWorkException if the master refuses
   */
  public synchronized void prepare(TableSpec table) {
    release();
    String name = name(table);
    ask(
        name,
        () -> {
          byte[] mark = at(bytes(name)).get(bytes(name));
          if (mark == null) {
            nodes.masters().forEach(master -> requireNone(master.sync(), name));
            at(bytes(name)).set(bytes(name), bytes(MARK));
          } else if (!Arrays.equals(mark, bytes(MARK))) {
            throw notOurs(name);
          }
          claim(name);
          nodes.masters().forEach(master -> empty(master, name));
          return true;
        });
  }

  private static void requireNone(RedisCommands<byte[], byte[]> master, String name) {
    ScanCursor cursor = ScanCursor.INITIAL;
    do {
      KeyScanCursor<byte[]> page = master.scan(cursor, allOf(name));
      if (!page.getKeys().isEmpty()) {
        throw notOurs(name);
      }
      cursor = page;
    } while (!cursor.isFinished());
  }

  private static BadRequestException notOurs(String name) {
    return new BadRequestException(
        "there are keys that Calando did not make", name + ":*", "choose another key prefix");
  }

  private void claim(String name) {
    byte[] key = claimKey(name);
    RedisCommands<byte[], byte[]> master = at(key);
    if (master.set(key, token, SetArgs.Builder.nx().px(CLAIM_MILLIS)) == null
        && !Arrays.equals(token, master.get(key))) {
      throw new BadRequestException(
          "another process uses these keys, or was killed less than a minute ago",
          name + ":*",
          "wait for its end, or choose another key prefix");
    }
    held = name;
    lost = null;
    heldUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLAIM_MILLIS);
  }

  private void empty(StatefulRedisConnection<byte[], byte[]> master, String name) {
    ScanCursor cursor = ScanCursor.INITIAL;
    do {
      KeyScanCursor<byte[]> page = master.sync().scan(cursor, allOf(name));
      List<byte[]> records =
          page.getKeys().stream().filter(key -> !Arrays.equals(key, claimKey(name))).toList();
      if (!records.isEmpty()) {
        unlink(master, records);
      }
      cursor = page;
    } while (!cursor.isFinished());
  }

  /** In a Redis Cluster keys of different slots are not for one command. */
  private void unlink(StatefulRedisConnection<byte[], byte[]> master, List<byte[]> keys) {
    if (!nodes.isCluster()) {
      master.sync().unlink(keys.toArray(new byte[0][]));
      return;
    }
    RedisFuture<?>[] under =
        keys.stream().map(key -> master.async().unlink(key)).toArray(RedisFuture<?>[]::new);
    if (!LettuceFutures.awaitAll(master.getTimeout(), under)) {
      throw new RedisException("keys were not deleted in time");
    }
  }

  private static ScanArgs allOf(String name) {
    // Names are letters, digits and underscores: nothing in them is a pattern.
    return ScanArgs.Builder.matches(name + ":*").limit(SCANNED);
  }

  private void renewQuietly() {
    try {
      renew();
    } catch (RuntimeException e) {
      // asked again, until the claim has lapsed
    }
  }

  private synchronized void renew() {
    String name = held;
    if (name == null || lost != null) {
      return;
    }
    if (System.nanoTime() - heldUntilNanos >= 0) {
      lost = "the claim of " + name + " could not be renewed for a minute";
      return;
    }
    ask(
        name,
        () -> {
          byte[] key = claimKey(name);
          RedisCommands<byte[], byte[]> master = at(key);
          byte[] holder = master.get(key);
          if (Arrays.equals(token, holder)) {
            master.pexpire(key, CLAIM_MILLIS);
          } else if (holder != null
              || master.set(key, token, SetArgs.Builder.nx().px(CLAIM_MILLIS)) == null) {
            // A claim that a fail-over lost is made again; one that somebody else made is not.
            lost = "another process has taken the keys " + name + ":*";
            return false;
          }
          heldUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLAIM_MILLIS);
          return true;
        });
  }

  /**
   * Makes sure that the keys were this process's alone since they were prepared.
   *
   * @throws FailedWorkException if they were not, or may not have been
   * @throws IllegalStateException if none were prepared
   */
  public synchronized void requireHeld() {
    if (held == null) {
      throw new IllegalStateException("no table is prepared");
    }
    renew();
    if (lost != null) {
      throw new FailedWorkException(
          lost, held + ":*", "let one process at a time use a key prefix");
    }
  }

  private void release() {
    String name = held;
    held = null;
    if (name == null || lost != null) {
      return;
    }
    ask(
        name,
        () -> {
          byte[] key = claimKey(name);
          RedisCommands<byte[], byte[]> master = at(key);
          return Arrays.equals(token, master.get(key)) && master.del(key) > 0;
        });
  }

  /** The master of a key. */
  private RedisCommands<byte[], byte[]> at(byte[] key) {
    return nodes.master(key).sync();
  }

  /** Asks masters. */
  private void ask(String name, BooleanSupplier questions) {
    try {
      boolean unused = questions.getAsBoolean();
    } catch (RedisException e) {
      throw new FailedWorkException(
          "the master refuses: " + Links.reason(e),
          name + ":*",
          "let the user get, set, unlink, del, scan and pexpire these keys, and wait for replicas",
          e);
    }
  }

  private static byte[] claimKey(String name) {
    return bytes(name + ":claim");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    renewer.shutdownNow();
    try {
      synchronized (this) {
        release();
      }
    } catch (RuntimeException e) {
      // it lapses within a minute
    }
  }
}
