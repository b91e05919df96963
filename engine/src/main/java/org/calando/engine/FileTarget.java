package org.calando.engine;

import java.time.Duration;
import java.util.List;
import org.calando.core.store.FileStore;
import org.calando.core.store.KeyValueStore;

/** A cluster with gears that stores files, not keys. */
public interface FileTarget extends Target, GearControl.Source {
  /**
   * What a grep found.
   *
   * @param matches in all files
   * @param bytes of all files
   * @param seconds it took, without the start of its process
   */
  record Grep(long matches, long bytes, double seconds) {}

  /** The engine and its version. */
  String engine();

  /** Copies of each file. */
  int replication();

  /** Our own folder in it. */
  FileStore files();

  /**
   * Has the kernel forget what it keeps in memory of the nodes' files.
   *
   * @return what a reader of figures should know if that did not work; else nothing
   */
  List<String> dropCache();

  /**
   * Searches all our files, by a process of its own; blocks.
   *
   * @param pattern a regular expression of Java
   * @param maps how many parts are searched at once
   * @param deadline within which it has to end
   * @throws org.calando.core.FailedWorkException if it does not
   */
  Grep grep(String pattern, int maps, Duration deadline);

  @Override
  default KeyValueStore connect(LoadBounds bounds) {
    throw new IllegalStateException("the cluster stores files, not keys");
  }
}
