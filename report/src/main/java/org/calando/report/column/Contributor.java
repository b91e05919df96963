package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What fills some columns of results.csv and a part of summary.json, by one kind of figures. A
 * column joins where it is declared, so that its declaration is all there is to add. Thread safe
 * once the class that declares it is initialized.
 *
 * @param <F> the kind of figures; {@link RunRecord} for what needs several or none
 */
final class Contributor<F> {
  private final Class<F> figures;
  private final @Nullable Part<F> part;
  private final List<Column> columns = new ArrayList<>();

  /** Writes a part of summary.json. */
  interface Part<F> {
    /**
     * Writes it.
     *
     * @param run for other figures of the run
     */
    void write(F found, RunRecord run, ObjectNode summary);
  }

  /** Fills columns alone. */
  Contributor(Class<F> figures) {
    this(figures, null);
  }

  Contributor(Class<F> figures, @Nullable Part<F> part) {
    this.figures = figures;
    this.part = part;
  }

  /** Its columns, in the order in which they are declared. */
  List<Column> columns() {
    return List.copyOf(columns);
  }

  /**
   * A column that joins when its value is said.
   *
   * @param name in the header
   * @param unit of its values, or what they are
   * @param doc the meaning in a sentence, Markdown
   */
  Declaration column(String name, String unit, String doc) {
    return new Declaration(name, unit, doc);
  }

  /** A column whose value is to be said. */
  final class Declaration {
    private final String name;
    private final String unit;
    private final String doc;

    private Declaration(String name, String unit, String doc) {
      this.name = name;
      this.unit = unit;
      this.doc = doc;
    }

    /** The value is given with the record. */
    Column given() {
      return of(run -> run.text(name));
    }

    /** The value is a text of the figures. */
    Column text(Function<F, String> value) {
      return of(run -> run.find(figures).map(value).orElse(""));
    }

    /** The value is a number of the figures; NaN is not known. */
    Column number(ToDoubleFunction<F> value) {
      return number((found, run) -> value.applyAsDouble(found));
    }

    /** The value is a number that needs other figures of the run too; NaN is not known. */
    Column number(ToDoubleBiFunction<F, RunRecord> value) {
      return of(
          run ->
              run.find(figures)
                  .map(found -> RunRecord.text(value.applyAsDouble(found, run)))
                  .orElse(""));
    }

    private Column of(Function<RunRecord, String> value) {
      Column column = new Column(name, unit, doc, value);
      columns.add(column);
      return column;
    }
  }

  /** Writes the part of a run's summary, if its figures are known. */
  void write(RunRecord run, ObjectNode summary) {
    if (part != null) {
      run.find(figures).ifPresent(found -> part.write(found, run, summary));
    }
  }

  /** Puts a number, null where it is not known. */
  static void put(ObjectNode node, String key, double value) {
    node.put(key, Double.isFinite(value) ? (@Nullable Double) value : null);
  }
}
