package org.calando.core.workload;

import org.calando.core.BadRequestException;
import org.calando.core.store.Session;
import org.calando.core.workload.internal.keys.KeyChooser;
import org.calando.core.workload.internal.keys.KeyChoosers;
import org.calando.core.workload.internal.keys.LengthChooser;
import org.calando.core.workload.internal.keys.RandomStream;

/**
 * The operations of one client of a workload, one after the other.
 *
 * <p>The stream is a function of workload, seed, stream number and the acknowledged inserts that it
 * sees. Not thread safe: one stream for each slot or generator thread, all with the same {@link
 * InsertSequence}. {@link #next} allocates nothing.
 */
public final class OperationStream {
  private static final OperationKind[] KINDS = OperationKind.values();

  private final RandomStream random;
  private final InsertSequence inserts;
  private final KeyChooser keys;
  private final LengthChooser fieldLengths;
  private final LengthChooser scanLengths;
  private final int fields;
  private final boolean readAllFields;
  private final boolean writeAllFields;
  // The kind of index i is drawn below upTo[i]; only kinds that occur are listed.
  private final OperationKind[] kinds;
  private final double[] upTo;

  /**
   * A stream of operations.
   *
   * @param workload what to do
   * @param inserts the keys of new records, shared by all streams of the run
   * @param seed seed of the run
   * @param stream number of this stream, 0 or more; the streams of a seed are independent
   * @throws BadRequestException if the workload is not valid
   */
  public OperationStream(Workload workload, InsertSequence inserts, long seed, int stream) {
    workload.requireValid("");
    this.random = new RandomStream(seed, stream);
    this.inserts = inserts;
    this.keys = KeyChoosers.of(workload, inserts, stream);
    this.fieldLengths = LengthChooser.of(workload.fieldLengths());
    this.scanLengths = LengthChooser.of(workload.scanLengths());
    this.fields = workload.fields();
    this.readAllFields = workload.readAllFields();
    this.writeAllFields = workload.writeAllFields();

    int occurring = 0;
    for (OperationKind kind : KINDS) {
      occurring += workload.mix().share(kind) > 0 ? 1 : 0;
    }
    this.kinds = new OperationKind[occurring];
    this.upTo = new double[occurring];
    double sum = 0;
    int index = 0;
    for (OperationKind kind : KINDS) {
      double share = workload.mix().share(kind);
      if (share > 0) {
        sum += share;
        kinds[index] = kind;
        upTo[index++] = sum;
      }
    }
  }

  /**
   * Fills in the next operation. Who performs an INSERT owes {@link InsertSequence#acknowledge} for
   * its key, however it ends.
   */
  public void next(Operation into) {
    OperationKind kind = kind();
    into.kind = kind;
    into.key = kind == OperationKind.INSERT ? inserts.next() : keys.next(random);
    into.valueBytes = 0;
    into.scanLength = 0;
    switch (kind) {
      case READ -> reads(into);
      case SCAN -> {
        into.scanLength = scanLengths.next(random);
        reads(into);
      }
      case UPDATE -> {
        writes(into, writeAllFields);
        into.field = into.writeField;
      }
      case INSERT -> {
        writes(into, true);
        into.field = into.writeField;
      }
      case READ_MODIFY_WRITE -> {
        reads(into);
        writes(into, writeAllFields);
      }
    }
  }

  private OperationKind kind() {
    // Shares sum to 1 only within a tolerance.
    double u = random.nextDouble() * upTo[upTo.length - 1];
    int index = 0;
    while (index < upTo.length - 1 && u >= upTo[index]) {
      index++;
    }
    return kinds[index];
  }

  private void reads(Operation into) {
    into.field = field(readAllFields);
    into.writeField = into.field;
  }

  // YCSB draws a length for every field of a write; here all fields of a write have one.
  private void writes(Operation into, boolean all) {
    into.writeField = field(all);
    into.valueBytes = fieldLengths.next(random);
  }

  private int field(boolean all) {
    return all ? Session.ALL_FIELDS : (int) random.nextLong(fields);
  }
}
