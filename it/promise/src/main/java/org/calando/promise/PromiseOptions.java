package org.calando.promise;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.calando.core.BadRequestException;

/**
 * What the command's words say.
 *
 * @param what {@code cells}, {@code steps} or {@code instances}
 * @param pattern of the names of those to run
 * @param seconds of each, behind its start
 * @param seed of everything random
 * @param atOnce cells on the cluster at a time
 * @param folder of results; what is there is not done again
 */
record PromiseOptions(
    String what, Pattern pattern, int seconds, long seed, int atOnce, Path folder) {
  private static final String WHERE = "bench/promise";
  private static final String USAGE =
      "[steps|instances] [--cells PATTERN] [--seconds 45] [--seed 1] [--at-once 1] [--resume FOLDER]";
  private static final List<String> WHATS = List.of("cells", "steps", "instances");

  static PromiseOptions parse(List<String> words) {
    List<String> left = new ArrayList<>(words);
    String what = "cells";
    if (!left.isEmpty() && WHATS.contains(left.get(0))) {
      what = left.remove(0);
    }
    String pattern = "";
    int seconds = 45;
    long seed = 1;
    int atOnce = 1;
    String time =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
            .format(LocalDateTime.now(ZoneId.systemDefault()));
    Path folder = Path.of("out", "promise-" + time);
    try {
      for (int i = 0; i < left.size(); i += 2) {
        String value = i + 1 < left.size() ? left.get(i + 1) : "";
        switch (left.get(i)) {
          case "--cells" -> pattern = value;
          case "--seconds" -> seconds = Integer.parseInt(value);
          case "--seed" -> seed = Long.parseLong(value);
          case "--at-once" -> atOnce = Integer.parseInt(value);
          case "--resume" -> folder = Path.of(value);
          default -> throw new BadRequestException("'" + left.get(i) + "'?", WHERE, USAGE);
        }
      }
      if (seconds < 1 || atOnce < 1) {
        throw new BadRequestException("seconds and cells at once are from 1", WHERE, USAGE);
      }
      return new PromiseOptions(what, Pattern.compile(pattern), seconds, seed, atOnce, folder);
    } catch (NumberFormatException | PatternSyntaxException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()), WHERE, USAGE);
    }
  }
}
