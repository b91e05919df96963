package org.calando.power;

/** Told every row of a {@link Sampler}, on the thread that sampled; it must not block for long. */
@FunctionalInterface
public interface SampleListener {
  /** Takes a row; rows of one sampler arrive one at a time, in order of time. */
  void row(SampleRow row);
}
