package org.calando.local;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The same of servers on one address, with ports in a row and settings of the engine's own.
 * Immutable and thread safe.
 */
public abstract class ServersConfig extends LocalConfig {
  /** What the name of a setting in one of Hadoop's files looks like. */
  protected static final Pattern HADOOP_SETTING = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

  /** All servers listen here. */
  public static final String ADDRESS = "127.0.0.1";

  private final int basePort;
  private final Map<String, String> settings;

  /** Takes what was collected, which has been checked. */
  protected ServersConfig(Builder<?> builder) {
    super(builder);
    basePort = builder.basePort;
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(builder.settings));
  }

  /** The first port of the cluster, from which those of all servers follow; 0: any free. */
  public final int basePort() {
    return basePort;
  }

  /** Further settings of all servers, by the engine's names; they win over Calando's. */
  public final Map<String, String> settings() {
    return settings;
  }

  /**
   * Collects the options. Not thread safe.
   *
   * @param <B> the engine's own builder
   */
  public abstract static class Builder<B extends Builder<B>> extends LocalConfig.Builder<B> {
    private int basePort;
    private final Map<String, String> settings = new LinkedHashMap<>();

    /** Begins with an engine's defaults. */
    protected Builder(int nodes, Duration startTimeout) {
      super(nodes, startTimeout);
    }

    /** Default: 0, any free. */
    @CanIgnoreReturnValue
    public final B basePort(int port) {
      basePort = port;
      return self();
    }

    /** Adds a setting of all servers, by the engine's name for it. Default: none. */
    @CanIgnoreReturnValue
    public final B setting(String name, String value) {
      settings.put(name, value);
      return self();
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
      if (nodes() < 1 || nodes() > mostNodes) {
        wrong.add("nodes " + nodes() + " is not 1 to " + mostNodes);
      }
      if (basePort != 0 && (basePort < 1024 || basePort > 65_000)) {
        wrong.add("port " + basePort + " is not 1024 to 65000");
      }
      if (startTimeout().isNegative() || startTimeout().isZero()) {
        wrong.add("start timeout " + startTimeout() + " is not positive");
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
  }
}
