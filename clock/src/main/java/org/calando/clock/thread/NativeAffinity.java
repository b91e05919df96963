package org.calando.clock.thread;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import org.calando.core.CpuSet;

/** By {@code sched_setaffinity(2)}. Thread safe. */
final class NativeAffinity implements ThreadAffinity {
  /** The kernel reads whole words. */
  private static final int WORD = Long.BYTES;

  private static final int ESRCH = 3;
  private static final int EPERM = 1;
  private static final int EINVAL = 22;

  /** The part of the C library that is used. */
  interface LibC extends Library {
    /** Sets the processors of a thread. */
    int sched_setaffinity(int tid, NativeLong bytes, byte[] mask) throws LastErrorException;
  }

  /** Loaded with the first use of the class. */
  private static final class Holder {
    static final LibC LIBC = Native.load("c", LibC.class);
  }

  /** Whether native code can be loaded: not where temporary folders hold no programs. */
  static boolean isAvailable() {
    try {
      return Holder.LIBC != null;
    } catch (LinkageError e) {
      return false;
    }
  }

  @Override
  public void set(int tid, CpuSet cpus) throws IOException {
    byte[] bits = cpus.mask();
    byte[] mask =
        java.util.Arrays.copyOf(bits, Math.max(1, (bits.length + WORD - 1) / WORD) * WORD);
    try {
      Holder.LIBC.sched_setaffinity(tid, new NativeLong(mask.length), mask);
    } catch (LastErrorException e) {
      throw new IOException(
          "thread %d cannot be moved to processors %s: %s".formatted(tid, cpus, reason(e)), e);
    }
  }

  @Override
  public String lack() {
    return "";
  }

  private static String reason(LastErrorException e) {
    return switch (e.getErrorCode()) {
      case ESRCH -> "it has ended";
      case EPERM -> "it is another user's, and CAP_SYS_NICE is missing";
      case EINVAL -> "it may run on none of them";
      default -> String.valueOf(e.getMessage());
    };
  }
}
