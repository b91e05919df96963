package org.calando.power.ipmi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;
import org.calando.power.ipmi.IpmiSource.Mode;

/** Reads power through one session after another with a controller. */
final class IpmiProbe implements PowerProbe {
  /** DCMI's figure is of this second with most controllers; sensors are scanned in turn. */
  private static final long DCMI_RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long SENSOR_RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String LIST = "sdr elist full";

  private final IpmiAddress address;
  private final IpmiSession session;
  private final Ticker ticker;
  private final Optional<SensorChoice> sensors;
  private final Optional<SdrCache> cache;

  private IpmiProbe(
      IpmiAddress address,
      IpmiSession session,
      Ticker ticker,
      Optional<SensorChoice> sensors,
      Optional<SdrCache> cache) {
    this.address = address;
    this.session = session;
    this.ticker = ticker;
    this.sensors = sensors;
    this.cache = cache;
  }

  /** Chooses between DCMI and sensors. */
  static IpmiProbe open(IpmiSource source, IpmiSession session, Ticker ticker, long deadlineNanos)
      throws MeterException, InterruptedException {
    IpmiAddress address = source.bmc();
    String noDcmi = "";
    if (source.mode() != Mode.SENSOR && source.sensors().isEmpty()) {
      List<String> output = session.run(DcmiReading.COMMAND, deadlineNanos);
      try {
        DcmiReading.watts(address, output);
        return new IpmiProbe(address, session, ticker, Optional.empty(), Optional.empty());
      } catch (MeterException e) {
        if (source.mode() == Mode.DCMI) {
          throw e;
        }
        noDcmi = e.what();
      }
    }
    Optional<SdrCache> cache = SdrCache.create();
    try {
      if (cache.isPresent()) {
        dump(cache.get(), session, deadlineNanos);
      }
      List<PowerSensor> all = PowerSensor.fromList(session.run(LIST, deadlineNanos));
      SensorChoice choice = choose(source, all, noDcmi);
      IpmiProbe probe = new IpmiProbe(address, session, ticker, Optional.of(choice), cache);
      cache = Optional.empty();
      return probe;
    } finally {
      cache.ifPresent(SdrCache::delete);
    }
  }

  private static void dump(SdrCache cache, IpmiSession session, long deadlineNanos)
      throws MeterException, InterruptedException {
    List<String> output = session.run("sdr dump \"" + cache.file() + "\"", deadlineNanos);
    // Ipmitool 1.8.19 ends with a segmentation fault if it reads sensors after a dump.
    session.discard();
    if (output.stream().noneMatch(line -> line.startsWith("Error"))) {
      session.useSdrCache(cache.file());
    }
  }

  private static SensorChoice choose(IpmiSource source, List<PowerSensor> all, String noDcmi)
      throws MeterException {
    if (!source.sensors().isEmpty()) {
      return SensorChoice.named(source.bmc(), source.sensors(), all);
    }
    try {
      return SensorChoice.find(source.bmc(), all);
    } catch (MeterException e) {
      String what = e.what() + (noDcmi.isEmpty() ? "" : "; " + noDcmi);
      throw new MeterException(what, e.where(), e.remedy(), e);
    }
  }

  @Override
  public ProbeInfo info() {
    String resolution =
        sensors
            .map(
                choice ->
                    "sensors "
                        + String.join(" + ", choice.names())
                        + " ("
                        + choice.reason()
                        + "); steps of one to some watts, scanned by the controller every 1 to 30 s")
            .orElse("DCMI power reading; 1 W, averaged by the controller over 1 s or more");
    long renewalNanos = sensors.isPresent() ? SENSOR_RENEWAL_NANOS : DCMI_RENEWAL_NANOS;
    return new ProbeInfo(Scope.HOST, resolution, renewalNanos, false, false, false);
  }

  @Override
  public PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException {
    long before = ticker.nanos();
    String command = sensors.map(IpmiProbe::sensorCommand).orElse(DcmiReading.COMMAND);
    List<String> output = session.run(command, deadlineNanos);
    long atNanos = before + (ticker.nanos() - before) / 2;
    try {
      double watts =
          sensors.isPresent() ? sum(sensors.get(), output) : DcmiReading.watts(address, output);
      if (watts == 0) {
        requireOff(deadlineNanos);
      }
      return new PowerSample.Power(atNanos, watts);
    } catch (MeterException e) {
      // A session that the controller forgot shows as sensors without readings.
      session.discard();
      throw e;
    }
  }

  private static String sensorCommand(SensorChoice choice) {
    return choice.names().stream()
        .map(name -> "\"" + name + "\"")
        .collect(Collectors.joining(" ", "sdr get ", ""));
  }

  private double sum(SensorChoice choice, List<String> output) throws MeterException {
    List<PowerSensor> shown = PowerSensor.fromDetails(output);
    double sum = 0;
    for (String name : choice.names()) {
      PowerSensor sensor =
          shown.stream()
              .filter(one -> one.isNamed(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      IpmiProblems.problem(
                          address,
                          "the controller does not show sensor '" + name + "' any more",
                          "name another sensor with sensors"));
      if (sensor.watts().isEmpty()) {
        throw SensorChoice.noReading(address, sensor);
      }
      sum += sensor.watts().getAsDouble();
    }
    return sum;
  }

  /** A machine that runs never draws 0 W. */
  private void requireOff(long deadlineNanos) throws MeterException, InterruptedException {
    List<String> output = session.run(IpmiChassis.COMMAND, deadlineNanos);
    if (IpmiChassis.parse(address, output) == IpmiChassis.PowerState.ON) {
      throw IpmiProblems.problem(
          address,
          "the controller shows 0 W for a machine that is on",
          "wait until the controller measures, or use another meter");
    }
  }

  @Override
  public void close() {
    session.close();
    cache.ifPresent(SdrCache::delete);
  }
}
