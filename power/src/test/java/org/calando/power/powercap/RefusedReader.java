package org.calando.power.powercap;

import java.nio.file.Path;
import org.calando.power.MeterException;
import org.calando.power.Ticker;

/** Opens a counter tree as the user that runs it, and prints what it is told. */
final class RefusedReader {
  private RefusedReader() {}

  public static void main(String[] arguments) {
    System.out.println(tryToOpen(Path.of(arguments[0])));
  }

  static String tryToOpen(Path root) {
    try {
      new PowercapSource(root).open(Ticker.system()).close();
      return "opened";
    } catch (MeterException e) {
      return e.getMessage() + "; " + e.remedy();
    }
  }
}
