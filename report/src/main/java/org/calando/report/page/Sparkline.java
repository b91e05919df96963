package org.calando.report.page;

import java.util.Arrays;
import java.util.Locale;

/** A small line of operations per second over a run, drawn without a script. */
final class Sparkline {
  private static final int WIDTH = 96;
  private static final int HEIGHT = 20;
  private static final int MOST_POINTS = 60;

  private Sparkline() {}

  /** The drawing from zero up, or an empty string if there are fewer than two seconds. */
  static String svg(double[] seconds) {
    if (seconds.length < 2) {
      return "";
    }
    double[] points = thinned(seconds);
    double most = Math.max(1e-9, Arrays.stream(points).max().orElse(1));
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < points.length; i++) {
      double x = 1 + (WIDTH - 2.0) * i / (points.length - 1);
      double y = HEIGHT - 1 - (HEIGHT - 2) * Math.max(0, points[i]) / most;
      path.append(i == 0 ? "M" : "L").append(String.format(Locale.ROOT, "%.1f %.1f", x, y));
    }
    Html html = new Html();
    String label =
        String.format(
            Locale.ROOT,
            "%.0f to %.0f operations in a second, over %d seconds",
            Arrays.stream(seconds).min().orElse(0),
            Arrays.stream(seconds).max().orElse(0),
            seconds.length);
    html.open(
        "svg",
        "class",
        "spark",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "width",
        Integer.toString(WIDTH),
        "height",
        Integer.toString(HEIGHT),
        "role",
        "img",
        "aria-label",
        label);
    return html.open("path", "d", path.toString()).close("path").close("svg").toString();
  }

  /** At most so many means of neighbouring seconds. */
  private static double[] thinned(double[] seconds) {
    int n = Math.min(MOST_POINTS, seconds.length);
    double[] points = new double[n];
    for (int i = 0; i < n; i++) {
      int from = (int) ((long) i * seconds.length / n);
      int to = (int) ((long) (i + 1) * seconds.length / n);
      points[i] = Arrays.stream(seconds, from, to).average().orElse(0);
    }
    return points;
  }
}
