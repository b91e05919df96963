package org.calando.session.internal;

import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.calando.session.internal.CqlText.Parsed;

/**
 * What asks for the write times of the cells that a read returns, in place of their values.
 * Immutable.
 *
 * @param text the query, with the read's own conditions
 * @param clustering columns in front that tell rows apart
 * @param cells columns behind these: a write time and a time to live of each
 */
record ShadowQuery(String text, int clustering, int cells) {
  private static final int MOST_CELLS = 16;

  /**
   * Of a read.
   *
   * @return empty if the read returns a cell whose write time cannot be asked for, as of a
   *     collection, too many cells, or none: what is not compared may be stale
   */
  static Optional<ShadowQuery> of(Parsed read, TableMetadata table) {
    List<ColumnMetadata> cells =
        table.getColumns().values().stream()
            .filter(column -> !table.getPrimaryKey().contains(column))
            .filter(
                column ->
                    read.columns().isEmpty()
                        || read.columns().contains(column.getName().asInternal()))
            .toList();
    if (cells.isEmpty()
        || cells.size() > MOST_CELLS
        || !cells.stream().allMatch(cell -> hasOneWriteTime(cell.getType()))) {
      return Optional.empty();
    }
    StringJoiner columns = new StringJoiner(", ");
    table.getClusteringColumns().keySet().forEach(each -> columns.add(each.getName().asCql(true)));
    for (ColumnMetadata cell : cells) {
      String name = cell.getName().asCql(true);
      columns.add("WRITETIME(" + name + ")").add("TTL(" + name + ")");
    }
    String text =
        "SELECT %s FROM %s.%s %s"
            .formatted(
                columns, table.getKeyspace().asCql(true), table.getName().asCql(true), read.rest());
    return Optional.of(new ShadowQuery(text, table.getClusteringColumns().size(), cells.size()));
  }

  private static boolean hasOneWriteTime(com.datastax.oss.driver.api.core.type.DataType type) {
    return !type.equals(DataTypes.COUNTER)
        && !(type instanceof ListType list && !list.isFrozen())
        && !(type instanceof SetType set && !set.isFrozen())
        && !(type instanceof MapType map && !map.isFrozen())
        && !(type instanceof UserDefinedType own && !own.isFrozen());
  }
}
