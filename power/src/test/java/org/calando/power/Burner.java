package org.calando.power;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** A child that burns CPU time by its own measure, tells how much it used, and waits. */
final class Burner {
  private Burner() {}

  /**
   * Takes the CPU milliseconds to burn, and optionally the word wait: to burn them after a line;
   * afterwards answers every line with the CPU nanoseconds of the thread that burnt them.
   */
  public static void main(String[] args) throws IOException {
    long wantedNanos = Long.parseLong(args[0]) * 1_000_000;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (args.length > 1) {
      System.out.println("ready");
      System.out.flush();
      var unused = System.in.read();
    }
    long sum = 1;
    while (threads.getCurrentThreadCpuTime() < wantedNanos) {
      for (int i = 0; i < 100_000; i++) {
        sum = sum * 6364136223846793005L + 1442695040888963407L;
      }
    }
    do {
      long used =
          ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
              .getProcessCpuTime();
      System.out.println(threads.getCurrentThreadCpuTime() + " " + used + " " + (sum & 1));
      System.out.flush();
    } while (System.in.read() >= 0);
  }
}
