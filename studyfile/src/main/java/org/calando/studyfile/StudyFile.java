package org.calando.studyfile;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.InventorySchema;
import org.calando.engine.InventorySpec;
import org.calando.schema.Bound;
import org.calando.schema.CanonicalYaml;
import org.calando.schema.Documents;
import org.calando.schema.ObjectType;
import org.calando.schema.Overrides;
import org.calando.schema.Problems;
import org.calando.schema.Refusal;
import org.calando.schema.TextFiles;
import org.calando.schema.Tree;
import org.calando.schema.YamlTree;
import org.calando.studyfile.service.AgentSchema;
import org.calando.studyfile.service.AgentSpec;
import org.calando.studyfile.workload.WorkloadTypes;

/**
 * Reads study files and inventories.
 *
 * <p>Stateless and thread safe. Everything that is wrong is reported at once, a line each: {@code
 * FILE:LINE:COLUMN: path.to.key: what is wrong; remedy}.
 */
public final class StudyFile {
  private static final String CLUSTERS = "clusters";

  private StudyFile() {}

  /**
   * Reads a study file and the files that it names.
   *
   * @param file the study file
   * @param overrides each {@code path=value}, put over the file in order
   * @throws BadRequestException listing all that is wrong
   */
  public static StudySpec read(Path file, List<String> overrides) {
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of("") : parent;
    return parse(text(file), file.toString(), directory, overrides);
  }

  /**
   * Reads the text of a study file.
   *
   * @param text YAML
   * @param source name for messages
   * @param directory where files that it names are looked for
   * @param overrides each {@code path=value}, put over the file in order
   * @throws BadRequestException listing all that is wrong
   */
  public static StudySpec parse(
      String text, String source, Path directory, List<String> overrides) {
    Bound<Function<String, StudySpec>> study =
        Documents.read(
            StudySchema.type(), text, source, directory, overrides, StudyFile::withWarmUp);
    return study.value().apply(canonical(study.plain()));
  }

  /**
   * Whether a file lists nodes and says nothing of a study; a file with errors may be either.
   *
   * @throws BadRequestException if it cannot be read
   */
  public static boolean isInventory(Path file) {
    return has(file, "nodes");
  }

  /** Whether a file is that of {@code calando govern}; one that cannot be read is none. */
  public static boolean isGovernor(Path file) {
    return has(file, CLUSTERS)
        || has(file, GearGovernSchema.NAME)
        || GovernSchema.SERVERS.stream().anyMatch(key -> has(file, key.name()));
  }

  private static ObjectType<ServiceSpec> governor(Path file) {
    if (has(file, CLUSTERS)) {
      return ClusterGovernSchema.TYPE;
    }
    return has(file, GearGovernSchema.NAME) ? GearGovernSchema.TYPE : GovernSchema.TYPE;
  }

  /**
   * Reads the file of {@code calando govern}, about clusters or in a short form, and the
   * inventories that it names.
   *
   * @param overrides each {@code path=value}, put over the file in order
   * @param locals the folder of an engine's cluster of {@code local start}
   * @throws BadRequestException listing all that is wrong
   */
  public static ServiceSpec readService(
      Path file, List<String> overrides, Function<String, Path> locals) {
    Path parent = file.toAbsolutePath().getParent();
    return Documents.read(
            governor(file),
            text(file),
            file.toString(),
            parent == null ? Path.of("") : parent,
            overrides,
            new LocalInventories(locals)::in)
        .value();
  }

  /**
   * Reads the file of {@code calando agent}.
   *
   * @param overrides each {@code path=value}, put over the file in order
   * @throws BadRequestException listing all that is wrong
   */
  public static AgentSpec readAgent(Path file, List<String> overrides) {
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of("") : parent;
    return Documents.read(AgentSchema.TYPE, text(file), file.toString(), directory, overrides)
        .value();
  }

  /** Whether a file that is no study has a key. */
  private static boolean has(Path file, String key) {
    return YamlTree.parse(text(file), file.toString(), new Problems())
        .filter(tree -> tree instanceof Tree.Mapping)
        .map(tree -> (Tree.Mapping) tree)
        .map(top -> top.find(key).isPresent() && top.find("store").isEmpty())
        .orElse(false);
  }

  /**
   * Reads an inventory; its engine is that of {@link Engines#of(InventorySpec)}.
   *
   * @throws BadRequestException listing all that is wrong
   */
  public static InventorySpec readInventory(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of("") : parent;
    InventorySpec inventory =
        Documents.read(InventorySchema.TYPE, text(file), file.toString(), directory, List.of())
            .value();
    OptionalInt port = Engines.of(inventory).schema().port();
    return port.isPresent() ? inventory.orPort(port.getAsInt()) : inventory;
  }

  /** What has no compiler and no connections has nothing to warm. */
  private static Tree withWarmUp(Tree study) {
    boolean warm =
        scalar(study, "store", "engine")
            .flatMap(id -> Engines.all().stream().filter(one -> one.id().equals(id)).findFirst())
            .filter(one -> one.supports(Feature.FILES) || one.supports(Feature.SIMULATED))
            .isPresent();
    boolean chosen =
        scalar(study, "workload", "warm-up")
            .filter(text -> !text.equals(WorkloadTypes.AUTO))
            .isPresent();
    return !warm
            || chosen
            || below(study, "workload").filter(Tree.Mapping.class::isInstance).isEmpty()
        ? study
        : Overrides.apply(study, List.of("workload.warm-up=0"), new Problems());
  }

  private static Optional<String> scalar(Tree tree, String section, String key) {
    return below(tree, section)
        .flatMap(found -> below(found, key))
        .filter(Tree.Scalar.class::isInstance)
        .map(found -> ((Tree.Scalar) found).text());
  }

  private static Optional<Tree> below(Tree tree, String key) {
    return tree instanceof Tree.Mapping mapping
        ? mapping.find(key).map(Tree.Entry::value)
        : Optional.empty();
  }

  private static String canonical(Object plain) {
    if (plain instanceof Map<?, ?> map) {
      return CanonicalYaml.write(map);
    }
    throw new IllegalStateException("a study is a mapping");
  }

  private static String text(Path file) {
    try {
      return TextFiles.read(file);
    } catch (Refusal refusal) {
      throw new BadRequestException(refusal.what(), file.toString(), refusal.remedy());
    }
  }
}
