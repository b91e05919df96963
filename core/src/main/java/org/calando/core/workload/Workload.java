package org.calando.core.workload;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.store.TableSpec;
import org.jspecify.annotations.Nullable;

/**
 * What clients do to a table: its records, the mix of operations and how they choose keys, in
 * YCSB's terms.
 *
 * <p>Immutable and thread safe. A description may be impossible until {@link #validate()} says
 * otherwise, so that all of its problems can be shown together.
 *
 * @param records rows of the table before the run, 1 or more; the first insert gets this key
 * @param insertStart first key that the load phase writes and requests go to, 0 or more
 * @param insertCount number of keys from insertStart on; insertStart + insertCount is at most
 *     records
 * @param operationCount operations of the run, to size the key space of scrambled zipfian requests
 *     with inserts; 0 if unknown, then inserted records are requested by "latest" and "exponential"
 *     only
 * @param fields fields of a record, 1 or more
 * @param fieldLengths bytes of a field
 * @param readAllFields whether reads and scans ask for all fields or for one, uniformly chosen
 * @param writeAllFields whether updates write all fields or one, uniformly chosen; inserts write
 *     all
 * @param mix shares of the kinds of operations
 * @param requests how requests are spread over the keys
 * @param scanLengths records of a scan
 * @param table name of the table
 * @param fieldPrefix prefix of the fields' names; field i is called prefix + i
 */
public record Workload(
    long records,
    long insertStart,
    long insertCount,
    long operationCount,
    int fields,
    Lengths fieldLengths,
    boolean readAllFields,
    boolean writeAllFields,
    Mix mix,
    RequestDistribution requests,
    Lengths scanLengths,
    String table,
    String fieldPrefix) {

  /** A builder with the defaults of YCSB's core workload, and 1000 records. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts as this workload. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** The table that the workload needs. */
  public TableSpec tableSpec() {
    return new TableSpec(table, fields, fieldPrefix);
  }

  /**
   * The keys that requests reckon with beyond the loaded ones: twice the inserts that the operation
   * count makes likely, as YCSB does.
   */
  public long expectedNewKeys() {
    return (long) (operationCount * mix.insert() * 2.0);
  }

  /** Bytes of the fields that an update writes, in the mean; 1 or more. */
  public double meanWriteBytes() {
    int written = writeAllFields ? fields : 1;
    return Math.max(1, written * (fieldLengths.min() + fieldLengths.max()) / 2.0);
  }

  /**
   * All that makes the workload impossible.
   *
   * @return problems, each {@code component: what is wrong with it}; empty if there are none
   */
  public List<String> validate() {
    return WorkloadCheck.problems(this);
  }

  /**
   * Refuses an impossible workload.
   *
   * @param where file or argument that describes it, or an empty string
   * @throws BadRequestException naming all problems, if there are any
   */
  public void requireValid(String where) {
    List<String> problems = validate();
    if (!problems.isEmpty()) {
      throw new BadRequestException(
          "impossible workload:\n  " + String.join("\n  ", problems),
          where,
          "change the values named");
    }
  }

  /** Builds workloads. Not thread safe. */
  public static final class Builder {
    private long records = 1000;
    private long insertStart;
    private @Nullable Long insertCount; // null: all from insertStart on
    private long operationCount;
    private int fields = 10;
    private Lengths fieldLengths = Lengths.constant(100);
    private boolean readAllFields = true;
    private boolean writeAllFields;
    private Mix mix = Mix.readUpdate(0.95, 0.05);
    private RequestDistribution requests = new RequestDistribution.Uniform();
    private Lengths scanLengths = Lengths.uniform(1, 1000);
    private String table = "usertable";
    private String fieldPrefix = "field";

    private Builder() {}

    private Builder(Workload from) {
      records = from.records;
      insertStart = from.insertStart;
      boolean all = from.insertCount == from.records - from.insertStart;
      insertCount = all ? null : (Long) from.insertCount;
      operationCount = from.operationCount;
      fields = from.fields;
      fieldLengths = from.fieldLengths;
      readAllFields = from.readAllFields;
      writeAllFields = from.writeAllFields;
      mix = from.mix;
      requests = from.requests;
      scanLengths = from.scanLengths;
      table = from.table;
      fieldPrefix = from.fieldPrefix;
    }

    /** Rows of the table before the run; default 1000. */
    public Builder records(long records) {
      this.records = records;
      return this;
    }

    /** First key loaded and requested; default 0. */
    public Builder insertStart(long insertStart) {
      this.insertStart = insertStart;
      return this;
    }

    /** Keys loaded and requested; default all from the insert start up to the records. */
    public Builder insertCount(long insertCount) {
      this.insertCount = insertCount;
      return this;
    }

    /** Operations of the run; default 0, unknown. */
    public Builder operationCount(long operationCount) {
      this.operationCount = operationCount;
      return this;
    }

    /** Fields of a record; default 10. */
    public Builder fields(int fields) {
      this.fields = fields;
      return this;
    }

    /** Bytes of a field; default 100. */
    public Builder fieldLengths(Lengths fieldLengths) {
      this.fieldLengths = fieldLengths;
      return this;
    }

    /** Whether reads ask for all fields; default true. */
    public Builder readAllFields(boolean readAllFields) {
      this.readAllFields = readAllFields;
      return this;
    }

    /** Whether updates write all fields; default false. */
    public Builder writeAllFields(boolean writeAllFields) {
      this.writeAllFields = writeAllFields;
      return this;
    }

    /** Shares of the kinds of operations; default 0.95 reads, 0.05 updates. */
    public Builder mix(Mix mix) {
      this.mix = mix;
      return this;
    }

    /** How requests are spread over the keys; default uniform. */
    public Builder requests(RequestDistribution requests) {
      this.requests = requests;
      return this;
    }

    /** Records of a scan; default uniform over 1 .. 1000. */
    public Builder scanLengths(Lengths scanLengths) {
      this.scanLengths = scanLengths;
      return this;
    }

    /** Name of the table; default {@code usertable}. */
    public Builder table(String table) {
      this.table = table;
      return this;
    }

    /** Prefix of the fields' names; default {@code field}. */
    public Builder fieldPrefix(String fieldPrefix) {
      this.fieldPrefix = fieldPrefix;
      return this;
    }

    /** The workload, possible or not: see {@link Workload#validate()}. */
    public Workload build() {
      return new Workload(
          records,
          insertStart,
          insertCount == null ? records - insertStart : insertCount,
          operationCount,
          fields,
          fieldLengths,
          readAllFields,
          writeAllFields,
          mix,
          requests,
          scanLengths,
          table,
          fieldPrefix);
    }
  }
}
