package org.calando.ycsb;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.calando.session.AdaptiveSession;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;

/** The session that all of YCSB's threads share. Thread safe. */
final class Connection implements AutoCloseable {
  private final CqlSession session;
  private final Optional<AdaptiveSession> adaptive;
  private final ClientSettings settings;
  private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();
  private final FirstErrors errors = new FirstErrors(System.err);
  private final Map<String, LongAdder> readsByLevel = new ConcurrentHashMap<>();

  private Connection(CqlSession driver, ClientSettings settings) {
    this.settings = settings;
    if (settings.readLevel().isPresent()) {
      adaptive = Optional.empty();
      session = driver;
    } else {
      AdaptiveSession wrapped =
          AdaptiveSession.wrap(driver)
              .tolerate(table().toString(), settings.tolerated())
              .policy(settings.policy())
              .build();
      adaptive = Optional.of(wrapped);
      session = wrapped;
    }
  }

  /** Connects; blocks. */
  static Connection open(ClientSettings settings) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoints(settings.hosts())
            .withLocalDatacenter(settings.dataCentre())
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(
                        DefaultDriverOption.REQUEST_CONSISTENCY, settings.writeLevel().name())
                    // YCSB counts the time of closing as part of the run.
                    .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                    .build());
    settings
        .login()
        .ifPresent(login -> builder.withAuthCredentials(login.user(), login.password()));
    CqlSession driver = builder.build();
    try {
      return new Connection(driver, settings);
    } catch (RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  ClientSettings settings() {
    return settings;
  }

  FirstErrors errors() {
    return errors;
  }

  CqlSession session() {
    return session;
  }

  private TableName table() {
    return new TableName(
        CqlIdentifier.fromCql(settings.keyspace()).asInternal(),
        CqlIdentifier.fromCql(settings.table()).asInternal());
  }

  /** Prepares a statement once; there are as many as the workload has forms. */
  PreparedStatement prepare(String query) {
    return prepared.computeIfAbsent(query, session::prepare);
  }

  /** Counts a read at the level that it was sent at. */
  void countRead(Statement<?> sent) {
    ConsistencyLevel level = sent.getConsistencyLevel();
    String name = level == null ? settings.writeLevel().name() : level.name();
    readsByLevel.computeIfAbsent(name, each -> new LongAdder()).increment();
  }

  /** What YCSB's report does not tell, in its own form. */
  String report() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(readsByLevel)
        .forEach(
            (level, count) ->
                text.append("[READ-AT-%s], Operations, %d%n".formatted(level, count.sum())));
    if (adaptive.isPresent()) {
      LevelInUse inUse = adaptive.get().inUse(table()).orElseThrow();
      text.append("[CALANDO], Level, %s%n".formatted(inUse.level()));
      inUse.reasons().forEach(reason -> text.append("[CALANDO], Reason, %s%n".formatted(reason)));
      text.append("[CALANDO], Requests, %d%n".formatted(adaptive.get().cost().requests()));
    }
    return text.toString();
  }

  @Override
  public void close() {
    session.close();
  }
}
