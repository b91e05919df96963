package org.calando.session.internal.shared;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.calando.session.TableName;

/*
 * One byte of version, the content, and a CRC-32 of both. Numbers are in groups of 7 bits, the lowest
 * first. Lags are whole microseconds, so that 256 samples of three replicas take about 3 KB: a lag is
 * its microseconds and 2, an infinite one 1, one that was not measured 0. All times are told as ages at
 * publication: clocks of machines differ, their paces hardly.
 */
/** Publications as bytes. Stateless. */
final class PublicationCodec {
  /** Part of what the rows are found by, too: other versions have other rows. */
  static final int VERSION = 2;

  private static final int MOST_SAMPLES = 256;
  private static final int MOST_TABLES = 256;
  private static final int MOST_REPLICAS = 64;
  private static final int CHECKSUM_BYTES = 4;

  private PublicationCodec() {}

  /** What {@link #read} reads. */
  static ByteBuffer write(Publication publication) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writeNumber(out, publication.sequence());
      out.writeLong(publication.publishedNanos());
      writeNumber(out, publication.instances());
      writeFigures(out, publication.figures());
      writeTruth(out, publication.truth());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return checked(bytes.toByteArray());
  }

  /** Content and its checksum. */
  static ByteBuffer checked(byte[] content) {
    return ByteBuffer.allocate(content.length + CHECKSUM_BYTES)
        .put(content)
        .putInt(checksum(content, content.length))
        .flip();
  }

  /** A publication; empty if these are not the bytes of one of this version. */
  static Optional<Publication> read(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    int length = bytes.length - CHECKSUM_BYTES;
    if (length < 1 || bytes[0] != VERSION) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (ByteBuffer.wrap(bytes).getInt(length) != checksum(bytes, length)) {
        return Optional.empty();
      }
      in.readByte();
      long sequence = readNumber(in);
      long publishedNanos = in.readLong();
      int instances = readCount(in, Integer.MAX_VALUE);
      SignalFigures figures = readFigures(in);
      return Optional.of(
          new Publication(sequence, publishedNanos, instances, figures, readTruth(in)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void writeFigures(DataOutputStream out, SignalFigures figures) throws IOException {
    writeNumber(out, figures.replicas());
    writeNumber(out, figures.liveReplicas());
    out.writeBoolean(figures.strained());
    out.writeBoolean(figures.lags().isPresent());
    if (figures.lags().isPresent()) {
      writeAge(out, figures.lags().get().atNanos());
      writeSample(out, figures.lags().get().sample());
    }
    writeNumber(out, Math.min(MOST_TABLES, figures.rates().size()));
    int left = MOST_TABLES;
    for (Map.Entry<TableName, Observation.Rates> each : figures.rates().entrySet()) {
      if (left-- > 0) {
        out.writeUTF(each.getKey().keyspace());
        out.writeUTF(each.getKey().table());
        writeAge(out, each.getValue().atNanos());
        out.writeDouble(each.getValue().readsPerSecond());
        out.writeDouble(each.getValue().writesPerSecond());
        out.writeDouble(each.getValue().meanWriteBytes());
      }
    }
  }

  private static SignalFigures readFigures(DataInputStream in) throws IOException {
    int replicas = readCount(in, MOST_REPLICAS);
    int live = readCount(in, replicas);
    boolean strained = in.readBoolean();
    Optional<Observation.Lags> lags = Optional.empty();
    if (in.readBoolean()) {
      long at = readAge(in);
      lags = Optional.of(new Observation.Lags(at, readSample(in)));
    }
    Map<TableName, Observation.Rates> rates = new HashMap<>();
    int tables = readCount(in, MOST_TABLES);
    for (int i = 0; i < tables; i++) {
      TableName name = new TableName(in.readUTF(), in.readUTF());
      rates.put(
          name,
          new Observation.Rates(readAge(in), in.readDouble(), in.readDouble(), in.readDouble()));
    }
    return new SignalFigures(lags, replicas, live, strained, rates);
  }

  /** The newest samples, which come last. */
  private static void writeSample(DataOutputStream out, PropagationLags sample) throws IOException {
    int first = Math.max(0, sample.samples() - MOST_SAMPLES);
    writeNumber(out, sample.replicas());
    writeNumber(out, sample.samples() - first);
    for (int i = first; i < sample.samples(); i++) {
      double[] row = sample.row(i);
      writeNumber(out, row.length);
      for (double lag : row) {
        writeNumber(
            out, Double.isNaN(lag) ? 0 : Double.isInfinite(lag) ? 1 : Math.round(lag * 1e6) + 2);
      }
    }
  }

  private static PropagationLags readSample(DataInputStream in) throws IOException {
    int replicas = readCount(in, MOST_REPLICAS);
    double[][] rows = new double[readCount(in, MOST_SAMPLES)][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[readCount(in, 2 * MOST_REPLICAS)];
      for (int j = 0; j < rows[i].length; j++) {
        long lag = readNumber(in);
        rows[i][j] = lag == 0 ? Double.NaN : lag == 1 ? Double.POSITIVE_INFINITY : (lag - 2) / 1e6;
      }
    }
    return PropagationLags.of(replicas, rows);
  }

  private static void writeTruth(DataOutputStream out, TruthTotal truth) throws IOException {
    writeAge(out, truth.atNanos());
    writeNumber(out, truth.reads());
    writeNumber(out, truth.stale());
    for (LagModel model : LagModel.values()) {
      out.writeDouble(truth.predicted(model));
    }
  }

  private static TruthTotal readTruth(DataInputStream in) throws IOException {
    long at = readAge(in);
    long reads = readNumber(in);
    long stale = readNumber(in);
    Map<LagModel, Double> predicted = new EnumMap<>(LagModel.class);
    for (LagModel model : LagModel.values()) {
      predicted.put(model, in.readDouble());
    }
    return new TruthTotal(at, reads, stale, predicted);
  }

  // What claims to be from later than the publication is as old as can be: a clock was set back.
  private static void writeAge(DataOutputStream out, long sincePublication) throws IOException {
    writeNumber(out, sincePublication > 0 ? Long.MAX_VALUE >> 1 : -sincePublication);
  }

  private static long readAge(DataInputStream in) throws IOException {
    return -readNumber(in);
  }

  private static void writeNumber(DataOutputStream out, long number) throws IOException {
    long rest = number;
    while (rest >>> 7 != 0) {
      out.writeByte((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  private static long readNumber(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.readByte();
      number |= (next & 0x7fL) << shift;
      if (next >= 0) {
        if (number < 0) {
          throw new IllegalArgumentException("a negative number");
        }
        return number;
      }
    }
    throw new IllegalArgumentException("a number without an end");
  }

  private static int readCount(DataInputStream in, int most) throws IOException {
    long count = readNumber(in);
    if (count > most) {
      throw new IllegalArgumentException("a count of " + count);
    }
    return (int) count;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32 sum = new CRC32();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }
}
