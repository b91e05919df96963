package org.calando.studyfile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.calando.core.BadRequestException;
import org.calando.engine.Engines;
import org.calando.engine.StoreSchema;
import org.calando.kept.KeptCluster;
import org.calando.schema.Tree;

/**
 * Names the inventory of the cluster of {@code local start} where a governor's file says {@code
 * local: true}. Immutable.
 *
 * @param folders the folder of an engine's local cluster
 */
record LocalInventories(Function<String, Path> folders) {
  /** The key, of clusters and of their short form. */
  private static final String LOCAL = "local";

  /**
   * Puts it into each cluster of a file.
   *
   * @throws BadRequestException if there is no such local cluster
   */
  Tree in(Tree file) {
    return each(each(file, GearGovernSchema.NAME, this::gears), "clusters", this::clusters);
  }

  private static Tree each(Tree file, String section, UnaryOperator<Tree> change) {
    if (!(file instanceof Tree.Mapping top)) {
      return file;
    }
    return new Tree.Mapping(
        top.where(),
        top.entries().stream()
            .map(
                entry ->
                    entry.name().equals(section)
                        ? new Tree.Entry(entry.name(), entry.where(), change.apply(entry.value()))
                        : entry)
            .toList());
  }

  private Tree gears(Tree gears) {
    return named(gears, GearGovernSchema.engine().id());
  }

  private Tree clusters(Tree clusters) {
    return clusters instanceof Tree.Sequence list
        ? new Tree.Sequence(list.where(), list.items().stream().map(this::cluster).toList())
        : clusters;
  }

  private Tree cluster(Tree cluster) {
    return text(cluster, "engine").map(engine -> named(cluster, engine)).orElse(cluster);
  }

  /** What has an inventory beside, or names no engine, is left for the schema to refuse. */
  private Tree named(Tree cluster, String engine) {
    String inventory = StoreSchema.INVENTORY.name();
    if (!(cluster instanceof Tree.Mapping mapping)
        || mapping.find(inventory).isPresent()
        || Engines.all().stream().noneMatch(each -> each.id().equals(engine))
        || !text(cluster, LOCAL).equals(Optional.of("true"))) {
      return cluster;
    }
    Path file = folders.apply(engine).resolve(KeptCluster.INVENTORY);
    if (!Files.isRegularFile(file)) {
      throw new BadRequestException(
          "there is no local cluster",
          file.toString(),
          "start one: ./calando local start " + engine);
    }
    List<Tree.Entry> entries =
        mapping.entries().stream()
            .map(
                entry ->
                    entry.name().equals(LOCAL)
                        ? new Tree.Entry(
                            inventory,
                            entry.where(),
                            new Tree.Scalar(entry.value().where(), file.toString(), true))
                        : entry)
            .toList();
    return new Tree.Mapping(mapping.where(), entries);
  }

  private static Optional<String> text(Tree tree, String key) {
    return tree instanceof Tree.Mapping mapping
        ? mapping
            .find(key)
            .map(Tree.Entry::value)
            .filter(Tree.Scalar.class::isInstance)
            .map(value -> ((Tree.Scalar) value).text())
        : Optional.empty();
  }
}
