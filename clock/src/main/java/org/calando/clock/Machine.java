package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import org.calando.clock.thread.ThreadAffinity;

/**
 * The machine whose clocks are set, or one made of files. Immutable; thread safe.
 *
 * @param cpus the folder of its processors
 * @param files how their attributes are read and written
 * @param proc its processes
 * @param affinity moves their threads
 */
public record Machine(Path cpus, SysfsFiles files, ProcFs proc, ThreadAffinity affinity) {
  /** This one. */
  public static Machine real() {
    return at(CpufreqTree.MACHINE);
  }

  /** This one, with the processors of another folder; by whatever way that is named. */
  public static Machine at(Path cpus) {
    Path real;
    try {
      real = cpus.toRealPath();
    } catch (IOException absent) {
      real = cpus.toAbsolutePath().normalize();
    }
    return new Machine(real, SysfsFiles.real(), ProcFs.machine(), ThreadAffinity.ofThisMachine());
  }

  /** Its cooling devices: {@code /sys/class/thermal}, and beside another tree likewise. */
  Path thermal() {
    return cpus.resolve("../../../class/thermal").normalize();
  }

  /** What the kernel tells of its processors now. */
  public CpufreqTree tree() {
    return CpufreqTree.read(cpus, files);
  }
}
