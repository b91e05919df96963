package org.calando.power.onoff;

/**
 * What turns one node on and off: a machine's power, a unit of its system, or a process.
 *
 * <p>Orders are asked for, not awaited: they return when the switch has taken them, and {@link
 * #read} tells when they came to something. {@link VerifiedSwitch} makes of them orders that hold
 * when they return. Every call is bounded in time by the switch's own deadline, may be repeated
 * (switching on what is on changes nothing), and fails with a {@link
 * org.calando.core.FailedWorkException} that names the switch and a remedy.
 *
 * <p>Thread safe.
 */
public interface PowerSwitch {
  /** What a switch tells of its node. */
  enum State {
    /** On, whether or not what should run on it answers yet. */
    ON,
    /** Off. */
    OFF,
    /** Neither: between the two, or the switch does not say. */
    UNKNOWN
  }

  /** The switch and its node, for messages; without secrets. */
  String describe();

  /** What the switch says now. */
  State read() throws InterruptedException;

  /**
   * Begins to order: whoever did before, and has not been heard of since, can order nothing any
   * more. A switch that cannot tell who orders does nothing here.
   */
  default void begin() throws InterruptedException {}

  /** Orders the node on. */
  void on() throws InterruptedException;

  /** Asks the node to end its work and go off; it may take its time, or not do so at all. */
  void off() throws InterruptedException;

  /** Whether there is a way to turn the node off that does not ask it. */
  boolean canForce();

  /**
   * Turns the node off without asking it. What it had not written is lost, as by a power cut.
   *
   * @throws UnsupportedOperationException if it {@link #canForce} not
   */
  void forceOff() throws InterruptedException;

  /**
   * The same switch, which tells of its orders.
   *
   * @param goesOff hears of the node before it is ordered off
   * @param cameOn hears of the node once it is ordered on
   */
  default PowerSwitch told(Runnable goesOff, Runnable cameOn) {
    return new ToldSwitch(this, goesOff, cameOn);
  }
}
