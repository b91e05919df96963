package org.calando.local;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * What configurations of local clusters of several engines have in common: servers on one address,
 * with ports in a row and settings of the engine's own. Immutable and thread safe.
 */
public abstract class ServersConfig {
  /** All servers listen here. */
  public static final String ADDRESS = "127.0.0.1";

  private final int nodes;
  private final int basePort;
  private final Duration startTimeout;
  private final Map<String, String> settings;
  private final @Nullable Path stateFolder;

  /** Takes what was collected, which has been checked. */
  protected ServersConfig(Builder<?> builder) {
    nodes = builder.nodes;
    basePort = builder.basePort;
    startTimeout = builder.startTimeout;
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(builder.settings));
    stateFolder = builder.stateFolder;
  }

  /** Nodes: servers that serve clients. */
  public final int nodes() {
    return nodes;
  }

  /** The first port of the cluster, from which those of all servers follow; 0: any free. */
  public final int basePort() {
    return basePort;
  }

  /** How long to wait for all to be up. */
  public final Duration startTimeout() {
    return startTimeout;
  }

  /** Further settings of all servers, by the engine's names; they win over Calando's. */
  public final Map<String, String> settings() {
    return settings;
  }

  /** The folder of a cluster that outlives its starter; empty for a temporary one. */
  public final Optional<Path> stateFolder() {
    return Optional.ofNullable(stateFolder);
  }

  /**
   * Collects the options. Not thread safe.
   *
   * @param <B> the engine's own builder
   */
  public abstract static class Builder<B extends Builder<B>> {
    private int nodes;
    private int basePort;
    private Duration startTimeout;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path stateFolder;

    /** Begins with an engine's defaults. */
    protected Builder(int nodes, Duration startTimeout) {
      this.nodes = nodes;
      this.startTimeout = startTimeout;
    }

    /** This builder, as what it is. */
    protected abstract B self();

    /** Default: the engine's, see its {@code builder()}. */
    @CanIgnoreReturnValue
    public final B nodes(int count) {
      nodes = count;
      return self();
    }

    /** Default: 0, any free. */
    @CanIgnoreReturnValue
    public final B basePort(int port) {
      basePort = port;
      return self();
    }

    /** Default: the engine's, see its {@code builder()}. */
    @CanIgnoreReturnValue
    public final B startTimeout(Duration timeout) {
      startTimeout = timeout;
      return self();
    }

    /** Adds a setting of all servers, by the engine's name for it. Default: none. */
    @CanIgnoreReturnValue
    public final B setting(String name, String value) {
      settings.put(name, value);
      return self();
    }

    /** Default: a temporary cluster. */
    @CanIgnoreReturnValue
    public final B stateFolder(Path folder) {
      stateFolder = folder;
      return self();
    }

    /** How many nodes there are to be. */
    protected final int nodes() {
      return nodes;
    }

    /**
     * All that is wrong with what every engine has.
     *
     * @param mostNodes most nodes
     * @param names what a setting's name looks like
     * @param ours settings that Calando makes itself
     * @param file where the engine has its settings
     * @return in words; more may be added
     */
    protected final List<String> wrong(
        int mostNodes, Pattern names, Set<String> ours, String file) {
      List<String> wrong = new ArrayList<>();
      if (nodes < 1 || nodes > mostNodes) {
        wrong.add("nodes " + nodes + " is not 1 to " + mostNodes);
      }
      if (basePort != 0 && (basePort < 1024 || basePort > 65_000)) {
        wrong.add("port " + basePort + " is not 1024 to 65000");
      }
      if (startTimeout.isNegative() || startTimeout.isZero()) {
        wrong.add("start timeout " + startTimeout + " is not positive");
      }
      settings.forEach(
          (name, value) -> {
            if (!names.matcher(name).matches() || value.chars().anyMatch(c -> c < ' ')) {
              wrong.add("'" + name + "' is no setting of " + file);
            } else if (ours.contains(name)) {
              wrong.add("'" + name + "' is set by Calando itself");
            }
          });
      return wrong;
    }

    /**
     * Refuses a configuration with which anything is wrong.
     *
     * @throws BadRequestException with all of it
     */
    protected static void refuse(List<String> wrong, String engine) {
      if (!wrong.isEmpty()) {
        throw new BadRequestException(
            String.join("; ", wrong),
            "local " + engine,
            "see docs/" + engine + ".md for what is possible");
      }
    }
  }
}
