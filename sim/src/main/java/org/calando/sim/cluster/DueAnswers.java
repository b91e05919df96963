package org.calando.sim.cluster;

/**
 * Acknowledgements at the present time, in their order. Not thread safe; allocates only when it
 * grows.
 */
final class DueAnswers {
  // Requester and tag of each, in a ring.
  private int[] ring = new int[64];
  private int first;
  private int count;
  private int requester;
  private int tag;

  void add(int ofRequester, int ofTag) {
    if (2 * count == ring.length) {
      int[] longer = new int[2 * ring.length];
      for (int i = 0; i < ring.length; i++) {
        longer[i] = ring[(first + i) & (ring.length - 1)];
      }
      ring = longer;
      first = 0;
    }
    int at = (first + 2 * count++) & (ring.length - 1);
    ring[at] = ofRequester;
    ring[at + 1] = ofTag;
  }

  /**
   * Takes the first out, which {@link #requester} and {@link #tag} tell until the next is taken.
   */
  void remove() {
    requester = ring[first];
    tag = ring[first + 1];
    first = (first + 2) & (ring.length - 1);
    count--;
  }

  int requester() {
    return requester;
  }

  int tag() {
    return tag;
  }
}
