package org.calando.local;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/** What configurations of all local clusters have in common. Immutable and thread safe. */
public abstract class LocalConfig {
  private final int nodes;
  private final Duration startTimeout;
  @JsonIgnore private final @Nullable Path stateFolder;

  /** Takes what was collected, which has been checked. */
  protected LocalConfig(Builder<?> builder) {
    nodes = builder.nodes;
    startTimeout = builder.startTimeout;
    stateFolder = builder.stateFolder;
  }

  /** Nodes: servers that serve clients. */
  public final int nodes() {
    return nodes;
  }

  /** How long to wait for all to be up. */
  public final Duration startTimeout() {
    return startTimeout;
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
    private Duration startTimeout;
    @JsonIgnore private @Nullable Path stateFolder;

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

    /** Default: the engine's, see its {@code builder()}. */
    @CanIgnoreReturnValue
    public final B startTimeout(Duration timeout) {
      startTimeout = timeout;
      return self();
    }

    /** Default: a temporary cluster. */
    @CanIgnoreReturnValue
    public final B stateFolder(Path folder) {
      stateFolder = folder.toAbsolutePath();
      return self();
    }

    /** How many nodes there are to be. */
    protected final int nodes() {
      return nodes;
    }

    /** How long to wait for them. */
    protected final Duration startTimeout() {
      return startTimeout;
    }

    /**
     * Refuses a configuration with which anything is wrong.
     *
     * @throws BadRequestException with all of it
     */
    protected static void refuse(List<String> wrong, String engine, String remedy) {
      if (!wrong.isEmpty()) {
        throw new BadRequestException(String.join("; ", wrong), "local " + engine, remedy);
      }
    }
  }
}
