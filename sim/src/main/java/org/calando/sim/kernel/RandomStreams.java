package org.calando.sim.kernel;

/**
 * The source of a simulation's randomness: a stream of numbers for every component, by name. A
 * component's stream depends on the seed, its name and its number alone, so adding a component
 * changes no other's numbers. Immutable and thread safe.
 *
 * @param seed of all streams
 */
public record RandomStreams(long seed) {
  /** The stream of the only component of a name. */
  public RandomStream of(String name) {
    return of(name, 0);
  }

  /**
   * The stream of one of several components of a name.
   *
   * @param number of the component, any
   */
  public RandomStream of(String name, long number) {
    long state = RandomStream.mix(seed + RandomStream.GAMMA);
    for (int i = 0; i < name.length(); i++) {
      state = RandomStream.mix((state ^ name.charAt(i)) + RandomStream.GAMMA);
    }
    return new RandomStream(RandomStream.mix(state ^ RandomStream.mix(number)));
  }
}
