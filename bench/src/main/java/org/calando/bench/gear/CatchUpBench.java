package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.CalandoException;

/** How fast a catch-up is beside plain copies between the same nodes. */
public final class CatchUpBench {
  private CatchUpBench() {}

  /** {@code CatchUpBench [NAME=VALUE ...]}. Exit code 1 if a leg failed, 2 if a word is wrong. */
  public static void main(String[] words) throws IOException, InterruptedException {
    try {
      System.exit(run(CatchUpOptions.parse(List.of(words))) ? 0 : 1);
    } catch (CalandoException e) {
      System.err.println(e.getMessage());
      System.exit(e.exitCode());
    }
  }

  private static boolean run(CatchUpOptions options) throws IOException, InterruptedException {
    Path file = options.out().resolve("catchup.csv");
    Files.createDirectories(options.out());
    boolean good = true;
    for (double mebibytes : options.blockMebibytes()) {
      long blockBytes = CatchUpOptions.blockBytes(mebibytes);
      List<Integer> left = left(CatchUpRow.read(file), options, blockBytes);
      if (!left.isEmpty()) {
        System.out.println("blocks of " + mebibytes + " MiB, repeats " + left);
        good &= repeats(options, blockBytes, left, file);
      }
    }
    String text = new CatchUpTables(mine(CatchUpRow.read(file), options)).toString();
    Files.writeString(options.out().resolve("catchup.md"), text);
    System.out.println(text);
    return good;
  }

  private static boolean repeats(
      CatchUpOptions options, long blockBytes, List<Integer> repeats, Path file)
      throws IOException, InterruptedException {
    try (CatchUpLegs legs = CatchUpLegs.start(options, blockBytes)) {
      for (int repeat : repeats) {
        CatchUpRow.append(file, legs.repeat(repeat));
      }
      return true;
    } catch (CalandoException e) {
      System.out.println("  FAILED: " + e.getMessage());
      return false;
    }
  }

  private static List<CatchUpRow> mine(List<CatchUpRow> rows, CatchUpOptions options) {
    Set<Long> sizes =
        options.blockMebibytes().stream()
            .map(CatchUpOptions::blockBytes)
            .collect(Collectors.toSet());
    return rows.stream()
        .filter(row -> row.seed() == options.seed() && row.newBytes() == options.newBytes())
        .filter(row -> sizes.contains(row.blockBytes()) && row.repeat() <= options.repeats())
        .toList();
  }

  private static List<Integer> left(
      List<CatchUpRow> rows, CatchUpOptions options, long blockBytes) {
    Set<Integer> done = new TreeSet<>();
    mine(rows, options).stream()
        .filter(row -> row.blockBytes() == blockBytes)
        .forEach(row -> done.add(row.repeat()));
    List<Integer> left = new ArrayList<>();
    IntStream.rangeClosed(1, options.repeats())
        .filter(repeat -> !done.contains(repeat))
        .forEach(left::add);
    return left;
  }
}
