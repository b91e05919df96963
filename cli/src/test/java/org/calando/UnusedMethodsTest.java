package org.calando;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What no program comes to goes: every method and constructor of main is reached from a main
 * method, a service, a command, the public packages, or a program of bench/ or it/.
 */
class UnusedMethodsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  private static final String PACKAGE = "org.calando";

  /** For applications, and for programs that call by name. */
  private static final Set<String> PUBLIC =
      Set.of("org.calando.session", "org.calando.ycsb", "org.calando.hdfs");

  private static final Pattern CALL = Pattern.compile("(?:\\.|::|\\bnew )\\s*(\\w+)");

  /** What tests look through where nothing else shows a state; only shrinks. */
  private static final Set<String> FOR_TESTS =
      Set.of(
          "clock.MachineLease.abandon/0",
          "clock.MachineLease.guardPid/0",
          "concerto.PowerManager.raiseCount/0",
          "control.Lease.guardPid/0",
          "control.file.PlanNotes.keepNone/0",
          "core.policy.clock.ClockLimits.withLag/2",
          "core.policy.clock.ClockLimits.withWaits/2",
          "governor.Retried.<init>/5",
          "governor.http.api.Api.routes/0",
          "http.server.HttpService.listenLater/2",
          "load.LoadRun.awaitNanos/1",
          "load.LoadSpec$Builder.drainNanos/1",
          "load.RateProfile$Builder.buildFinite/0",
          "local.cassandra.LocalCassandraConfig$Builder.dataCentres/1",
          "local.relay.LinkCounters.connections/2",
          "local.relay.LinkCounters.strangers/0",
          "power.snmp.SnmpSource.<init>/2",
          "session.internal.governed.GovernedSessions.tables/0",
          "sim.cluster.Clients.stop/0",
          "sim.cluster.MasterReplica.<init>/2",
          "sim.cluster.Nodes.startedNanos/0",
          "sim.cluster.SimCluster.startedNanos/0",
          "sim.cluster.SimCluster.versionAt/2",
          "sim.control.SimClocks.clockOf/1",
          "sim.kernel.Station.departures/0",
          "sim.kernel.Station.dropped/0",
          "sim.kernel.Station.presentNanos/1",
          "store.hbase.HBaseStoreConfig$Builder.boundBytes/1",
          "store.hdfs.internal.HostsFile.maintenance/0",
          "study.Progress.silent/0");

  private final JavaClasses all =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(
              location -> !location.contains("test-classes") && !location.contains("-tests"))
          .importPackages(PACKAGE);

  private final Set<JavaCodeUnit> reached = new HashSet<>();
  private final Set<JavaClass> begun = new HashSet<>();
  private final Set<JavaClass> made = new HashSet<>();
  private final Set<String> called = new HashSet<>();
  private final Deque<JavaCodeUnit> next = new ArrayDeque<>();

  @Test
  void everythingIsReached() throws IOException {
    Outside outside = outside();
    Set<String> services = services();
    for (JavaClass type : all) {
      if (isRoot(type, services)) {
        make(type);
        type.getConstructors().forEach(this::reach);
      }
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (isRoot(unit) || outside.calls(unit)) {
          make(type);
          reach(unit);
        }
      }
    }
    goOn();
    Set<String> unused =
        all.stream()
            .flatMap(type -> type.getCodeUnits().stream())
            .filter(unit -> !reached.contains(unit) && !isGenerated(unit))
            .map(
                unit ->
                    unit.getOwner().getName().substring(PACKAGE.length() + 1)
                        + "."
                        + signature(unit))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unused)
        .as("remove it, or have a program use it; what is used or gone leaves the list")
        .isEqualTo(FOR_TESTS);
  }

  private void goOn() {
    int before = -1;
    while (before != reached.size()) {
      before = reached.size();
      while (!next.isEmpty()) {
        follow(next.remove());
      }
      for (JavaClass type : List.copyOf(made)) {
        ancestors(type)
            .filter(each -> each.getPackageName().startsWith(PACKAGE))
            .flatMap(each -> each.getMethods().stream())
            .filter(method -> !reached.contains(method) && isCalled(type, method))
            .forEach(this::reach);
      }
    }
  }

  private void follow(JavaCodeUnit unit) {
    begin(unit.getOwner());
    unit.getReferencedClassObjects().stream()
        .map(each -> each.getRawType())
        .filter(type -> type.getPackageName().startsWith(PACKAGE))
        .filter(type -> !type.isInterface())
        .filter(type -> supertypes(type).anyMatch(UnusedMethodsTest::isForDrivers))
        .forEach(
            type -> {
              make(type);
              type.getConstructors().forEach(this::reach);
            });
    for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
      JavaClass owner = access.getTargetOwner();
      begin(owner);
      if (access.getTarget().getName().equals(JavaConstructor.CONSTRUCTOR_NAME)) {
        make(owner);
      }
      access
          .getTarget()
          .resolveMember()
          .filter(JavaCodeUnit.class::isInstance)
          .map(JavaCodeUnit.class::cast)
          .ifPresent(
              target -> {
                called.add(key(owner, target));
                called.add(key(target.getOwner(), target));
                reach(target);
              });
    }
  }

  private void reach(JavaCodeUnit unit) {
    if (reached.add(unit)) {
      next.add(unit);
    }
  }

  private void begin(JavaClass type) {
    if (begun.add(type)) {
      type.getStaticInitializer().ifPresent(this::reach);
      if (type.isEnum() || type.isRecord()) {
        make(type);
        type.getConstructors().stream().filter(this::isGenerated).forEach(this::reach);
      }
    }
  }

  private void make(JavaClass type) {
    begin(type);
    made.add(type);
  }

  /** Whether an object's method is called by a name of one of its types, or by a library. */
  private boolean isCalled(JavaClass type, JavaMethod method) {
    return ancestors(type)
        .anyMatch(
            each ->
                each.getPackageName().startsWith(PACKAGE)
                    ? called.contains(key(each, method))
                    : each.getMethods().stream()
                        .anyMatch(other -> signature(other).equals(signature(method))));
  }

  private static String key(JavaClass owner, JavaCodeUnit unit) {
    return owner.getName() + " " + signature(unit);
  }

  /** Without types: an implementation may name what its interface leaves open. */
  private static String signature(JavaCodeUnit unit) {
    return unit.getName() + "/" + unit.getRawParameterTypes().size();
  }

  private static Stream<JavaClass> ancestors(JavaClass type) {
    return Stream.concat(Stream.of(type), supertypes(type));
  }

  private static Stream<JavaClass> supertypes(JavaClass type) {
    return Stream.concat(
        type.getAllRawInterfaces().stream(), type.getAllRawSuperclasses().stream());
  }

  private static boolean isForDrivers(JavaClass type) {
    return type.getPackageName().startsWith("com.datastax")
        || type.getPackageName().startsWith("io.lettuce")
        || type.getPackageName().startsWith("com.sun.jna");
  }

  private static boolean isRoot(JavaClass type, Set<String> services) {
    return services.contains(type.getName())
        || hasCommands(type)
        || type.getFields().stream().anyMatch(UnusedMethodsTest::hasCommands)
        || type.getSimpleName().endsWith("MXBean")
        || supertypes(type)
            .anyMatch(
                each ->
                    each.getPackageName().startsWith("picocli")
                        || each.isEquivalentTo(ResourceBundle.class));
  }

  private static boolean isRoot(JavaCodeUnit unit) {
    JavaClass owner = unit.getOwner();
    boolean isOpen =
        unit.getModifiers().contains(JavaModifier.PUBLIC)
            || unit.getModifiers().contains(JavaModifier.PROTECTED);
    return (unit.getName().equals("main") && unit.getModifiers().contains(JavaModifier.STATIC))
        || (isOpen && PUBLIC.contains(owner.getPackageName()))
        || hasCommands(unit)
        || owner.getSimpleName().endsWith("MXBean");
  }

  private static boolean hasCommands(CanBeAnnotated what) {
    return what.isAnnotatedWith(
        DescribedPredicate.describe(
            "of picocli or Jackson",
            annotation ->
                annotation.getRawType().getPackageName().startsWith("picocli")
                    || annotation.getRawType().getPackageName().startsWith("com.fasterxml")));
  }

  /** Made by the compiler, or there so that nobody makes an object. */
  private boolean isGenerated(JavaCodeUnit unit) {
    JavaClass owner = unit.getOwner();
    if (unit instanceof JavaConstructor) {
      return owner.isEnum()
          || (owner.isRecord() && isCanonical(unit))
          || (unit.getModifiers().contains(JavaModifier.PRIVATE)
              && unit.getRawParameterTypes().isEmpty());
    }
    return unit.getName().startsWith("lambda$")
        || unit.getName().equals("<clinit>")
        || unit.getModifiers().contains(JavaModifier.SYNTHETIC)
        || unit.getModifiers().contains(JavaModifier.ABSTRACT)
        || (owner.isEnum() && Set.of("values", "valueOf").contains(unit.getName()))
        || (owner.isRecord()
            && (Set.of("equals", "hashCode", "toString").contains(unit.getName())
                || owner.tryGetField(unit.getName()).isPresent()));
  }

  private static boolean isCanonical(JavaCodeUnit unit) {
    return unit.getRawParameterTypes().size()
        == unit.getOwner().getFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .count();
  }

  /**
   * What the programs beside this class path call.
   *
   * @param names behind a dot, a double colon or new
   * @param words all words of their text
   * @param given types that methods of such names return
   */
  private record Outside(Set<String> names, Set<String> words, Set<JavaClass> given) {
    boolean calls(JavaCodeUnit unit) {
      JavaClass owner = unit.getOwner();
      return unit instanceof JavaConstructor
          ? names.contains(owner.getSimpleName())
          : names.contains(unit.getName())
              && Stream.concat(ancestors(owner), owner.getAllSubclasses().stream())
                  .anyMatch(each -> words.contains(each.getSimpleName()) || given.contains(each));
    }
  }

  private Outside outside() throws IOException {
    Set<String> names = new HashSet<>();
    Set<String> words = new HashSet<>();
    for (String program : List.of("bench", "it", "bindings", "engines/hdfs/placement")) {
      for (Path file : files(ROOT.resolve(program), ".*/src/main/java/.*[.]java")) {
        String text = Files.readString(file);
        CALL.matcher(text).results().forEach(call -> names.add(call.group(1)));
        words.addAll(List.of(text.split("\\W+")));
      }
    }
    Set<JavaClass> given =
        all.stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> names.contains(method.getName()))
            .filter(method -> words.contains(method.getOwner().getSimpleName()))
            .map(JavaMethod::getRawReturnType)
            .collect(Collectors.toSet());
    return new Outside(names, words, given);
  }

  private static Set<String> services() throws IOException {
    Set<String> names = new HashSet<>();
    for (Path file : files(ROOT, ".*/src/main/resources/META-INF/services/.*")) {
      names.addAll(Files.readAllLines(file));
    }
    return names;
  }

  private static List<Path> files(Path folder, String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(each -> each.toString().matches(pattern) && Files.isRegularFile(each))
          .toList();
    }
  }
}
