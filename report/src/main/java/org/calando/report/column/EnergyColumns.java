package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeEnergy;

/** Columns of energy, of CPU time, and of what they were read from. */
public final class EnergyColumns {
  static final Contributor<EnergyFigures> ENERGY =
      new Contributor<>(EnergyFigures.class, EnergyColumns::write);

  static final Contributor<MeterFigures> METERS = new Contributor<>(MeterFigures.class);

  public static final Column ENERGY_J =
      ENERGY
          .column(
              "energy_j",
              "J",
              "gross energy of all nodes; of clients and `sampling_j` nothing, unless the meter covers the machine they run on")
          .number(EnergyFigures::joules);
  public static final Column ENERGY_NET_J =
      ENERGY
          .column(
              "energy_net_j",
              "J",
              "the same less what the nodes draw idle in that time, by their mean power in `power.baseline` just before the run; of simulated ones by the profile")
          .number(
              found ->
                  found.isWhole() && found.isAboveIdle() ? found.nodes().netJoules() : Double.NaN);
  public static final Column JOULES_PER_KOP =
      ENERGY
          .column("joules_per_kop", "J", "`energy_j` for 1000 operations that succeeded")
          .number(
              (found, run) ->
                  run.find(LoadFigures.class)
                      .map(LoadFigures::succeeded)
                      .filter(done -> done > 0)
                      .map(done -> found.joules() / done * 1e3)
                      .orElse(Double.NaN));
  public static final Column POWER_MEAN_W =
      ENERGY
          .column("power_mean_w", "W", "mean power of all nodes together")
          .number(
              found -> found.ofWhole(found.nodes().watts().mean() * found.nodes().nodes().size()));
  public static final Column POWER_CV =
      ENERGY
          .column(
              "power_cv",
              "1",
              "population standard deviation of the nodes' mean powers over their mean")
          .number(found -> found.ofWhole(found.nodes().watts().cv()));
  public static final Column POWER_MAX_MIN =
      ENERGY
          .column("power_max_min", "W", "highest less lowest of the nodes' mean powers")
          .number(found -> found.ofWhole(found.nodes().watts().maxMin()));
  public static final Column CPU_CV =
      ENERGY
          .column("cpu_cv", "1", "as `power_cv`, of the nodes' mean processor use")
          .number(found -> found.nodes().cpuPercent().cv());
  public static final Column CPU_MAX_MIN =
      ENERGY
          .column("cpu_max_min", "%", "as `power_max_min`, of the nodes' mean processor use")
          .number(found -> found.nodes().cpuPercent().maxMin());
  public static final Column METER =
      METERS.column("meter", "text", "what energy was read from").text(MeterFigures::id);
  public static final Column PROVENANCE =
      METERS
          .column("provenance", "text", "measured, modelled, attributed or simulated")
          .text(meter -> lower(meter.provenance()));
  public static final Column CPU_S =
      ENERGY
          .column("cpu_s", "s", "CPU time of all nodes")
          .number(found -> found.nodes().cpuSeconds());
  public static final Column POWER_SCOPE =
      METERS
          .column("power_scope", "text", "what the meter covers: node, package or host")
          .text(meter -> lower(meter.scope()));
  public static final Column ENERGY_KWH =
      ENERGY
          .column("energy_kwh", "kWh", "`energy_j` in kWh")
          .number(found -> EnergyPricing.kwh(found.joules()));
  public static final Column COST =
      ENERGY
          .column("cost", "currency", "its price by `power.price-per-kwh`, times `pue`")
          .number(found -> found.pricing().cost(found.joules()));
  public static final Column CO2E_G =
      ENERGY
          .column("co2e_g", "g", "its CO2e by `power.carbon-intensity`, times `pue`")
          .number(found -> found.pricing().co2eGrams(found.joules()));
  public static final Column SAMPLING_CPU_S =
      ENERGY
          .column("sampling_cpu_s", "s", "CPU time that sampling of power and nodes took")
          .number(EnergyFigures::samplerCpuSeconds);
  public static final Column SAMPLING_J =
      ENERGY
          .column("sampling_j", "J", "modelled joules of that time")
          .number(EnergyFigures::samplerJoules);
  public static final Column CLIENT_CPU_S =
      ENERGY
          .column(
              "client_cpu_s",
              "s",
              "CPU time of clients: Calando's own process; of simulated clients by `client-work`")
          .given();

  private EnergyColumns() {}

  private static void write(EnergyFigures found, RunRecord run, ObjectNode summary) {
    ObjectNode node = summary.putObject("energy");
    run.find(MeterFigures.class)
        .ifPresent(
            meter ->
                node.put("meter", meter.id())
                    .put("provenance", lower(meter.provenance()))
                    .put("scope", lower(meter.scope()))
                    .put("profile", meter.profile())
                    .put("resolution", meter.resolution()));
    node.put("coverage", found.nodes().coverage());
    Contributor.put(node, "sampler_cpu_s", found.samplerCpuSeconds());
    Contributor.put(node, "client_cpu_s", run.number(CLIENT_CPU_S));
    ArrayNode nodes = node.putArray("nodes");
    for (NodeEnergy each : found.nodes().nodes()) {
      ObjectNode entry = nodes.addObject();
      entry.put("node", each.node());
      Contributor.put(entry, "energy_j", each.grossJoules());
      Contributor.put(entry, "energy_net_j", each.netJoules());
      Contributor.put(entry, "power_mean_w", each.meanWatts());
      Contributor.put(entry, "cpu_s", each.cpuSeconds());
      Contributor.put(entry, "cpu_percent", each.cpuPercent());
      Contributor.put(entry, "idle_w", each.baselineWatts());
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
