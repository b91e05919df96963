package org.calando.local;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The same of engines that are Java programs with Hadoop's kind of settings. Immutable and thread
 * safe.
 */
public abstract class JavaServersConfig extends ServersConfig {
  /** What the name of a setting in one of Hadoop's files looks like. */
  protected static final Pattern SETTING = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

  private final Path javaHome;
  private final @Nullable Path libFolder;

  /** Takes what was collected, which has been checked. */
  protected JavaServersConfig(Builder<?> builder) {
    super(builder);
    javaHome = builder.javaHome;
    libFolder = builder.libFolder;
  }

  /** The Java that runs the servers. */
  public final Path javaHome() {
    return javaHome;
  }

  /** The servers' jars; empty: those that the build collected. */
  public final Optional<Path> libFolder() {
    return Optional.ofNullable(libFolder);
  }

  /**
   * Collects the options. Not thread safe.
   *
   * @param <B> the engine's own builder
   */
  public abstract static class Builder<B extends Builder<B>> extends ServersConfig.Builder<B> {
    private Path javaHome = Path.of(System.getProperty("java.home"));
    private @Nullable Path libFolder;

    /** Begins with an engine's defaults. */
    protected Builder(int nodes, Duration startTimeout) {
      super(nodes, startTimeout);
    }

    /** Default: the Java that runs this. */
    @CanIgnoreReturnValue
    public final B javaHome(Path home) {
      javaHome = home;
      return self();
    }

    /** Default: what the build collected. */
    @CanIgnoreReturnValue
    public final B libFolder(Path folder) {
      libFolder = folder;
      return self();
    }
  }
}
