package org.calando.local.cache;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Pages of files that the kernel has in memory, by {@code mincore(2)}. Thread safe. */
final class PageCache {
  private static final int O_RDONLY = 0;
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final int ADVICE_DONTNEED = 4;
  private static final int ENOENT = 2;

  /** Files are looked at in pieces, to bound the table of their pages; a multiple of the page. */
  private static final long WINDOW_BYTES = 256L << 20;

  /** The part of the C library that is used. */
  interface LibC extends Library {
    /** Opens a file. */
    int open(String path, int flags) throws LastErrorException;

    /** Closes it. */
    int close(int file) throws LastErrorException;

    /** Writes its changed pages to the device. */
    int fsync(int file) throws LastErrorException;

    /** Says what will be needed of it; returns an error's number. */
    int posix_fadvise(int file, NativeLong offset, NativeLong bytes, int advice);

    /** Maps it. */
    Pointer mmap(
        Pointer address, NativeLong bytes, int access, int flags, int file, NativeLong offset)
        throws LastErrorException;

    /** Ends the mapping. */
    int munmap(Pointer address, NativeLong bytes) throws LastErrorException;

    /** Tells for each page of a mapping whether it is in memory: bit 0 of its byte. */
    int mincore(Pointer address, NativeLong bytes, byte[] pages) throws LastErrorException;

    /** The size of a page. */
    int getpagesize();
  }

  /** Loaded with the first use of the class. */
  private static final class Holder {
    static final LibC LIBC = Native.load("c", LibC.class);
  }

  private PageCache() {}

  /** Whether native code can be loaded: not where temporary folders hold no programs. */
  static boolean isAvailable() {
    try {
      return Holder.LIBC != null;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** What is done with an open file of a size in bytes. */
  private interface Use {
    long with(int file) throws LastErrorException, IOException;
  }

  /** Writes the file's changed pages, and drops all that no process has mapped. */
  static void drop(Path path) throws IOException {
    opened(
        path,
        file -> {
          Holder.LIBC.fsync(file);
          int error =
              Holder.LIBC.posix_fadvise(
                  file, new NativeLong(0), new NativeLong(0), ADVICE_DONTNEED);
          if (error != 0) {
            throw new IOException("posix_fadvise fails with " + error + ": " + path);
          }
          return 0;
        });
  }

  /** Bytes of the file that are in memory, to whole pages. */
  static long cachedBytes(Path path, long size) throws IOException {
    return opened(
        path,
        file -> {
          long cached = 0;
          for (long offset = 0; offset < size; offset += WINDOW_BYTES) {
            cached += cachedBytes(file, offset, Math.min(WINDOW_BYTES, size - offset));
          }
          return cached;
        });
  }

  private static long cachedBytes(int file, long offset, long length) {
    int page = Holder.LIBC.getpagesize();
    byte[] pages = new byte[(int) ((length + page - 1) / page)];
    NativeLong bytes = new NativeLong(length);
    Pointer mapping =
        Holder.LIBC.mmap(Pointer.NULL, bytes, PROT_READ, MAP_SHARED, file, new NativeLong(offset));
    try {
      Holder.LIBC.mincore(mapping, bytes, pages);
    } finally {
      Holder.LIBC.munmap(mapping, bytes);
    }
    long present = 0;
    for (byte state : pages) {
      present += state & 1;
    }
    return present * page;
  }

  private static long opened(Path path, Use use) throws IOException {
    int file = -1;
    try {
      file = Holder.LIBC.open(path.toString(), O_RDONLY);
      return use.with(file);
    } catch (LastErrorException e) {
      if (e.getErrorCode() == ENOENT) {
        throw new NoSuchFileException(path.toString());
      }
      throw new IOException(e.getMessage() + ": " + path, e);
    } finally {
      if (file >= 0) {
        Holder.LIBC.close(file);
      }
    }
  }
}
