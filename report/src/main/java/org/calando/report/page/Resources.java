package org.calando.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Files on the class path that pages are made of. Stateless. */
public final class Resources {
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

  private Resources() {}

  /** A file of this package. */
  public static String text(String name) {
    return read(name);
  }

  /** The charting library, which begins with its licence notice. */
  public static String echarts() {
    return read(ECHARTS);
  }

  private static String read(String name) {
    try (InputStream in = Resources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
