package org.calando.power.snmp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.calando.power.MeterException;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/**
 * Which figure of the outlets is used: their energy counters or their power. All outlets of a
 * machine use the same, or they could not be added.
 *
 * @param cumulative true if it is the counters
 * @param figures the figure of each outlet
 * @param scales watts or joules of a unit of each
 * @param resolution the choice in words
 */
record FigureChoice(
    boolean cumulative, List<OutletFigure> figures, List<Double> scales, String resolution) {
  /** A counter is fine enough if the machine draws a unit of it in this time. */
  static final double FINE_SECONDS = 5;

  private static final double KILO = 1e3;

  /** What the feeds of one machine offer, with their first answers. */
  record Offer(
      SnmpFeed feed,
      @Nullable OutletFigure power,
      @Nullable OutletFigure energy,
      SnmpAnswers first) {
    static Offer of(SnmpFeed feed, SnmpAnswers first) {
      PduMib mib = feed.device().mib();
      return new Offer(
          feed,
          mib.power().map(quantity -> new OutletFigure(feed, quantity)).orElse(null),
          mib.energy().map(quantity -> new OutletFigure(feed, quantity)).orElse(null),
          first);
    }

    /** What to ask for before choosing. */
    Set<OID> everything() {
      Set<OID> oids = new HashSet<>();
      for (OutletFigure figure : new OutletFigure[] {power, energy}) {
        if (figure != null) {
          oids.addAll(figure.all());
        }
      }
      return oids;
    }
  }

  /**
   * Chooses by what the devices prefer and by what each outlet shows now.
   *
   * @throws MeterException if one of the outlets has no figure that all of them could use
   */
  static FigureChoice of(List<Offer> offers) throws MeterException {
    boolean allPower = offers.stream().allMatch(offer -> offer.power() != null);
    boolean allEnergy = offers.stream().allMatch(offer -> offer.energy() != null);
    SnmpFeed feed = offers.get(0).feed();
    boolean wantEnergy = wants(offers, SnmpDevice.Prefer.ENERGY);
    boolean wantPower = wants(offers, SnmpDevice.Prefer.POWER);
    if ((wantEnergy && wantPower) || (!allEnergy && !allPower)) {
      throw new MeterException(
          "one outlet of this machine is read as energy, another as power",
          feed.where(),
          "set prefer alike for the PDUs of one machine");
    }
    if ((wantEnergy && !allEnergy) || (wantPower && !allPower)) {
      throw new MeterException(
          "the preferred figure, " + (wantEnergy ? "energy" : "power") + ", is not known",
          feed.where(),
          "set prefer to auto, or give its OID");
    }
    if (wantEnergy || !allPower) {
      return counters(offers);
    }
    if (wantPower || !allEnergy) {
      return watts(offers, "");
    }
    return automatic(offers);
  }

  private static boolean wants(List<Offer> offers, SnmpDevice.Prefer prefer) {
    return offers.stream().anyMatch(offer -> offer.feed().device().prefer() == prefer);
  }

  /** The counters, if they are there and fine enough for what the machine draws now. */
  private static FigureChoice automatic(List<Offer> offers) throws MeterException {
    FigureChoice power = watts(offers, "");
    FigureChoice energy;
    try {
      energy = counters(offers);
    } catch (MeterException e) {
      return watts(offers, "; no energy counter (" + e.what() + ")");
    }
    for (int i = 0; i < offers.size(); i++) {
      double watts = power.figures.get(i).watts(offers.get(i).first(), power.scales.get(i)).watts();
      double unit = energy.scales.get(i);
      if (unit > watts * FINE_SECONDS) {
        return watts(offers, "; its energy counter has units of " + joules(unit) + ", too coarse");
      }
    }
    return energy;
  }

  private static FigureChoice watts(List<Offer> offers, String remark) throws MeterException {
    List<OutletFigure> figures = new ArrayList<>();
    List<Double> scales = new ArrayList<>();
    for (Offer offer : offers) {
      OutletFigure figure = offer.power();
      if (figure != null) {
        double scale = figure.scale(offer.first());
        figure.watts(offer.first(), scale);
        figures.add(figure);
        scales.add(scale);
      }
    }
    String resolution = "power in steps of " + format(max(scales)) + " W" + remark;
    return new FigureChoice(false, figures, scales, resolution);
  }

  private static FigureChoice counters(List<Offer> offers) throws MeterException {
    List<OutletFigure> figures = new ArrayList<>();
    List<Double> scales = new ArrayList<>();
    for (Offer offer : offers) {
      OutletFigure figure = offer.energy();
      if (figure != null) {
        scales.add(figure.scale(offer.first()));
        figure.counter(offer.first());
        figures.add(figure);
      }
    }
    String resolution = "energy counter in steps of " + joules(max(scales));
    return new FigureChoice(true, figures, scales, resolution);
  }

  private static double max(List<Double> scales) {
    return scales.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private static String joules(double joules) {
    return joules >= KILO ? format(joules / KILO) + " kJ" : format(joules) + " J";
  }

  private static String format(double value) {
    return String.format(Locale.ROOT, "%.4g", value).replaceFirst("\\.?0+$", "");
  }
}
