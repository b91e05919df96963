package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import org.calando.clock.thread.ThreadAffinity;

/** A process that holds clocks, and ends as it is told, or is ended. */
final class LeaseHolder {
  private LeaseHolder() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Machine machine =
        new Machine(
            folder.resolve(FakeMachine.CPUS),
            SysfsFiles.real(),
            ProcFs.machine(),
            ThreadAffinity.ofThisMachine());
    LeaseFolders folders = new LeaseFolders(folder.resolve("journals"), folder.resolve("owners"));
    MachineLease lease =
        MachineLease.begin(machine, folders, "a process", line -> System.out.println("told"));
    lease.clocks(FakeMachine.pair()).set("r", 1_200_000);
    System.out.println("holds " + lease.guardPid());
    while (System.in.read() >= 0) {
      // until the test has it end
    }
    lease.close();
  }
}
