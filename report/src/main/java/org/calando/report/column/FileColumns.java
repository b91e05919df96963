package org.calando.report.column;

/** Columns of loads on files. */
public final class FileColumns {
  static final Contributor<FileFigures> FILES = new Contributor<>(FileFigures.class);

  public static final Column READ_BYTES =
      FILES
          .column("read_bytes", "bytes", "what clients read from files")
          .number(FileFigures::readBytes);
  public static final Column WRITTEN_BYTES =
      FILES
          .column("written_bytes", "bytes", "what clients wrote to files")
          .number(FileFigures::writtenBytes);
  public static final Column JOULES_PER_MB =
      FILES
          .column("joules_per_mb", "J", "`energy_j` for 10^6 bytes read or written")
          .number(
              (found, run) ->
                  found.megabytes() > 0
                      ? EnergyFigures.joules(run) / found.megabytes()
                      : Double.NaN);

  private FileColumns() {}
}
