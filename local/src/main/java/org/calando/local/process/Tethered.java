package org.calando.local.process;

import java.io.IOException;
import java.util.Arrays;

/**
 * Main class that ties a Java process to the life of its owner: standard input is a pipe whose
 * other end only the owner holds, and its end of file, which the kernel gives even after kill -9 of
 * the owner, halts this process at once.
 *
 * <p>The first argument is the real main class, the others are its arguments. This class stands
 * alone (JDK only, no nested class), because it is put on the class path of foreign servers.
 */
public final class Tethered implements Runnable {
  /** Exit code of a process whose owner is gone. */
  static final int OWNER_GONE = 70;

  private Tethered() {}

  /** Starts the tether, then the real main class in this thread. */
  public static void main(String[] args) throws ReflectiveOperationException {
    Thread tether = new Thread(new Tethered(), "calando-tether");
    tether.setDaemon(true);
    tether.start();
    Object mainArguments = Arrays.copyOfRange(args, 1, args.length);
    Class.forName(args[0]).getMethod("main", String[].class).invoke(null, mainArguments);
  }

  @Override
  public void run() {
    try {
      while (System.in.read() >= 0) {
        // nothing is ever sent: only the end of file counts
      }
    } catch (IOException e) {
      // a broken pipe means the same as its end
    }
    Runtime.getRuntime().halt(OWNER_GONE);
  }
}
