package org.calando.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.calando.control.LeaseGuard;
import org.calando.core.CpuSet;

/** A machine of files in a folder, with leases that no process guards. */
public final class FakeMachine {
  /** Its processors within a folder, as in that of the machine. */
  static final String CPUS = "sys/devices/system/cpu";

  /** Its clocks. */
  public final FakeTree tree;

  /** Takes what is written to them. */
  public final FakeKernel kernel = new FakeKernel();

  /** Its processes. */
  public final FakeProc proc;

  final LeaseFolders folders;
  final Path folder;

  /** A machine with a clock for each processor. */
  public FakeMachine(Path folder, FakeTree.Kind kind, int cpus) {
    this(folder, FakeTree.of(folder.resolve(CPUS), kind, cpus));
  }

  FakeMachine(Path folder, FakeTree tree) {
    this.folder = folder;
    this.tree = tree;
    this.proc = new FakeProc(folder.resolve("proc"));
    this.folders = new LeaseFolders(folder.resolve("journals"), folder.resolve("owners"));
  }

  /** With it threads are moved and clocks set. */
  public Machine machine() {
    return new Machine(tree.root, kernel, proc.files(), proc);
  }

  /** A lease of it. */
  public MachineLease begin() {
    return begin(folders);
  }

  MachineLease begin(LeaseFolders where) {
    return MachineLease.guarded(machine(), where, "a test", journal -> NO_GUARD);
  }

  /** Where another user, or one with another state folder, notes leases of this machine. */
  LeaseFolders elsewhere(String state) {
    return new LeaseFolders(folder.resolve(state).resolve("journals"), folders.owners());
  }

  public RestoreReport restore(Restorer.Mode mode) {
    return new Restorer(machine(), folders, mode, false).restoreAll();
  }

  public RestoreReport restore() {
    return restore(Restorer.Mode.RESTORE);
  }

  /** What is noted elsewhere. */
  public RestoreReport restore(LeaseFolders where) {
    return new Restorer(machine(), where, Restorer.Mode.RESTORE, false).restoreAll();
  }

  /** Whether no lease is noted. */
  public boolean clean() throws IOException {
    try (var files = Files.list(folders.journals())) {
      return files.findAny().isEmpty();
    }
  }

  /** A master on processor 0 and a replica on 1. */
  static Map<String, CpuSet> pair() {
    return Map.of("m", CpuSet.of(0), "r", CpuSet.of(1));
  }

  private static final LeaseGuard NO_GUARD =
      new LeaseGuard() {
        @Override
        public long pid() {
          return -1;
        }

        @Override
        public void restore() {}

        @Override
        public void close() {}
      };
}
