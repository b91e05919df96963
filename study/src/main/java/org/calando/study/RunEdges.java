package org.calando.study;

/** Is told of the edges of a run's measured window, from the load generator's threads. */
interface RunEdges {
  /**
   * The measured window begins.
   *
   * @param nanos the load generator's time
   */
  void measurementBegan(long nanos);

  /**
   * The measured window ends.
   *
   * @param nanos the load generator's time
   */
  void measurementEnded(long nanos);
}
