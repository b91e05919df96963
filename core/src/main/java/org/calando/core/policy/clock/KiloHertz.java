package org.calando.core.policy.clock;

/** Clocks in words. */
final class KiloHertz {
  private KiloHertz() {}

  /** {@code 2.2 GHz}. Not by a format: this is said of each node at each decision. */
  static String text(long kHz) {
    long ghz = kHz / 1_000_000;
    String rest = String.valueOf(1_000_000 + kHz % 1_000_000).substring(1);
    int end = rest.length();
    while (end > 1 && rest.charAt(end - 1) == '0') {
      end--;
    }
    return ghz + "." + rest.substring(0, end) + " GHz";
  }
}
