package org.calando;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.calando.core.policy.Controller;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.time.SystemClock;

/**
 * The rules of docs/architecture.md: which part may lean on which, and what core must not touch.
 */
@AnalyzeClasses(packages = "org.calando", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {
  @ArchTest
  static final ArchRule coreStandsAlone =
      classes()
          .that()
          .resideInAPackage("org.calando.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.core..",
              "java.lang..",
              "java.math..",
              "java.nio.charset",
              "java.util..",
              "java.time..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule coreReadsNoClock =
      noClasses()
          .that()
          .resideInAPackage("org.calando.core..")
          .and()
          .areNotAssignableTo(SystemClock.class)
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.time.Clock.class);

  @ArchTest
  static final ArchRule coreAndLoadAskForNoWallClock =
      noClasses()
          .that()
          .resideInAnyPackage("org.calando.core..", "org.calando.load..")
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(java.time.LocalDateTime.class, "now")
          .orShould()
          .callConstructor(java.util.Date.class);

  @ArchTest static final ArchRule powerKnowsNoOtherPart = leansOnCoreOnly("power", "load", "local");

  @ArchTest static final ArchRule loadKnowsNoOtherPart = leansOnCoreOnly("load", "power", "local");

  @ArchTest static final ArchRule localKnowsNoOtherPart = leansOnCoreOnly("local", "power", "load");

  @ArchTest static final ArchRule storesKnowNoOtherPart = leansOnCoreOnly("store", "power", "load");

  private static ArchRule leansOnCoreOnly(String part, String... others) {
    return noClasses()
        .that()
        .resideInAPackage("org.calando." + part + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.calando." + others[0] + "..", "org.calando." + others[1] + "..");
  }

  @ArchTest
  static final ArchRule theSimulatedClusterKnowsNoRealOne =
      classes()
          .that()
          .resideInAPackage("org.calando.sim..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.sim..",
              "org.calando.core..",
              "org.calando.load",
              "org.calando.control",
              "org.calando.control.joint",
              "org.calando.control.shift",
              "java.lang..",
              "java.util..",
              "java.time..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule simulatedTimeIsTheOnlyTime =
      noClasses()
          .that()
          .resideInAPackage("org.calando.sim..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Thread.class, "start");

  @ArchTest
  static final ArchRule clocksKnowNoEngine =
      classes()
          .that()
          .resideInAPackage("org.calando.clock..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.clock..",
              "org.calando.core..",
              "org.calando.control..",
              "org.calando.knob",
              "com.fasterxml.jackson.databind..",
              "com.sun.jna",
              "java..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule thePowerManagerNeedsClocksOnly =
      classes()
          .that()
          .resideInAPackage("org.calando.concerto")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.concerto..",
              "org.calando.core..",
              "org.calando.control",
              "org.calando.control.order",
              "org.calando.clock..",
              "org.HdrHistogram",
              "java..",
              "org.jspecify..");

  @ArchTest static final ArchRule aSchemaKnowsCoreOnly = leansOnOwn("schema");

  @ArchTest static final ArchRule aReportLeansOnCoreOnly = leansOnOwn("report");

  @ArchTest static final ArchRule controlLeansOnCoreOnly = leansOnOwn("control");

  @ArchTest static final ArchRule papersJudgeWhatReportsRead = leansOnOwn("papers", "report");

  /** Capabilities that engines declare are for knobs, and no single engine is. */
  @ArchTest
  static final ArchRule knobsLeanOnWhatTheyAreMadeOf =
      classes()
          .that()
          .resideInAPackage("org.calando.knob..")
          .should()
          .onlyDependOnClassesThat(
              JavaClass.Predicates.resideOutsideOfPackage("org.calando..")
                  .or(
                      JavaClass.Predicates.resideInAnyPackage(
                          own("knob", "schema", "control", "report")))
                  .or(
                      JavaClass.Predicates.resideInAnyPackage(
                          "org.calando.engine", "org.calando.load")));

  @ArchTest static final ArchRule servicesOverHttpLeanOnCoreOnly = leansOnOwn("http");

  /** Applications have no jar but the JDK's for it. */
  @ArchTest
  static final ArchRule clientsNeedNoServer =
      classes()
          .that()
          .resideInAPackage("org.calando.http")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.http",
              "org.calando.core..",
              "java..",
              "javax.net.ssl",
              "org.jspecify..");

  /** Besides core and what is no part of the project. */
  private static ArchRule leansOnOwn(String part, String... others) {
    return classes()
        .that()
        .resideInAPackage("org.calando." + part + "..")
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideOutsideOfPackage("org.calando..")
                .or(JavaClass.Predicates.resideInAnyPackage(own(part, others))));
  }

  private static String[] own(String part, String... others) {
    return Stream.concat(Stream.of("core", part), Stream.of(others))
        .map(name -> "org.calando." + name + "..")
        .toArray(String[]::new);
  }

  @ArchTest
  static final ArchRule onlyALeaseKeepsAJournal =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.calando.control..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.calando.control.Journal");

  /** What clocks note is machine-wide, and read without a lease. */
  @ArchTest
  static final ArchRule onlyALeaseOwnsKnobs =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.calando.control..", "org.calando.clock..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.calando.control.KnobOwner");

  @ArchTest
  static final ArchRule papersAreFoundAsServices =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.calando.papers..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.papers..");

  @ArchTest
  static final ArchRule aStudyFileKnowsNotWhoReadsIt =
      noClasses()
          .that()
          .resideInAPackage("org.calando.studyfile..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.study..",
              "org.calando.predict..",
              "org.calando.plan..",
              "org.calando.cli..");

  @ArchTest
  static final ArchRule anEngineKnowsNotWhoUsesIt =
      noClasses()
          .that()
          .resideInAPackage("org.calando.engine..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.studyfile..",
              "org.calando.report..",
              "org.calando.study..",
              "org.calando.predict..",
              "org.calando.plan..",
              "org.calando.cli..");

  @ArchTest
  static final ArchRule thePowerManagerIsForStudiesAndTheCommand =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "org.calando.concerto..",
              "org.calando.study..",
              "org.calando.governor..",
              "org.calando.cli..",
              "org.calando.bench..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.concerto..");

  @ArchTest
  static final ArchRule predictionsLeanOnWhatIsMeasuredAndNotTheOtherWayRound =
      noClasses()
          .that()
          .resideInAnyPackage("org.calando.study..", "org.calando.sim..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.predict..");

  @ArchTest
  static final ArchRule predictionsRunNoStudy =
      noClasses()
          .that()
          .resideInAPackage("org.calando.predict..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.study..");

  @ArchTest
  static final ArchRule onlyTheCommandPlans =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.calando.plan..", "org.calando.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.plan..");

  @ArchTest
  static final ArchRule gearsNeedNoHBase =
      noClasses()
          .that()
          .resideInAPackage("org.calando.gears")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.calando.gears.idle..", "org.calando.store.hbase..");

  @ArchTest
  static final ArchRule coreStartsNoThread =
      noClasses()
          .that()
          .resideInAPackage("org.calando.core..")
          .and()
          .areNotAssignableTo(RealTimeScheduler.class)
          .and()
          .areNotAssignableTo(DaemonThread.class)
          .should()
          .callMethod(Thread.class, "start")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.concurrent.Executor.class);

  @ArchTest
  static final ArchRule partsLeanOnlyOnCore =
      noClasses()
          .that()
          .resideInAnyPackage("org.calando.power..", "org.calando.load..", "org.calando.local..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.session..",
              "org.calando.store..",
              "org.calando.report..",
              "org.calando.papers..",
              "org.calando.studyfile..",
              "org.calando.study..",
              "org.calando.cli..");

  @ArchTest
  static final ArchRule whatIsSetByFilesNeedsNoFile =
      noClasses()
          .that()
          .resideInAnyPackage(
              "org.calando.load..",
              "org.calando.local..",
              "org.calando.store..",
              "org.calando.sim..",
              "org.calando.gears..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.schema..");

  @ArchTest
  static final ArchRule aStoreKnowsNeitherItsUsersNorWhereItRuns =
      noClasses()
          .that()
          .resideInAPackage("org.calando.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.report..",
              "org.calando.papers..",
              "org.calando.studyfile..",
              "org.calando.study..",
              "org.calando.local..",
              "org.calando.cli..");

  @ArchTest
  static final ArchRule knobsDoNotKnowEachOther =
      slices().matching("org.calando.knob.(*)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule nothingLeansOnOneKnob =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.calando.knob.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.knob.*..");

  /** Packages of single engines; those of the simulated cluster are no engine's alone. */
  private static final String[] ENGINES = {
    "org.calando.engine.*..",
    "org.calando.store..",
    "org.calando.gears..",
    "org.calando.local.cassandra..",
    "org.calando.local.redis..",
    "org.calando.local.hdfs..",
    "org.calando.local.grep..",
    "org.calando.local.hbase.."
  };

  @ArchTest
  static final ArchRule nothingBelowTheCommandKnowsAnEngine =
      noClasses()
          .that()
          .resideInAnyPackage(
              "org.calando.engine",
              "org.calando.study..",
              "org.calando.studyfile..",
              "org.calando.report..",
              "org.calando.predict..",
              "org.calando.plan..",
              "org.calando.papers..",
              "org.calando.control..",
              "org.calando.concerto..",
              "org.calando.governor..",
              "org.calando.knob..",
              "org.calando.session..",
              "org.calando.power..",
              "org.calando.agent..",
              "org.calando.clock..",
              "org.calando.sim..",
              "org.calando.schema..",
              "org.calando.http..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINES);

  /**
   * Commands that are an engine's own, by how their classes begin, and what they share: {@code
   * gear} of HDFS, {@code idle} of HBase, {@code redis lag}, {@code layout tokens --move} and the
   * look at a live Cassandra of {@code predict stale}. The list only shrinks.
   */
  static final String COMMANDS_OF_ENGINES =
      ".*\\.cli\\.(\\w+\\.)?(Gear|Idle|RedisLag|LayoutMove|Live|TokenJournals|PredictStale|StoreAccess"
          + "|GovernorWatch|ShownPace).*";

  @ArchTest
  static final ArchRule theCommandAsksEnginesAndKnowsNone =
      noClasses()
          .that()
          .resideInAPackage("org.calando.cli..")
          .and()
          .haveNameNotMatching(COMMANDS_OF_ENGINES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINES);

  /** Only HBase, whose files are on an HDFS, needs another one. */
  @ArchTest
  static final ArchRule enginesDoNotKnowEachOther =
      slices()
          .assignedFrom(new EngineOfClass())
          .should()
          .notDependOnEachOther()
          .ignoreDependency(isOf("hbase"), isOf("hdfs"));

  private static DescribedPredicate<JavaClass> isOf(String engine) {
    return DescribedPredicate.describe(
        "of " + engine, each -> EngineOfClass.of(each).equals(Optional.of(engine)));
  }

  private static final class EngineOfClass implements SliceAssignment {
    private static final Pattern PACKAGE =
        Pattern.compile(
            "org\\.calando\\.(?:engine|store|local)\\.(cassandra|redis|hdfs|hbase)\\b.*");

    static Optional<String> of(JavaClass each) {
      String name = each.getPackageName();
      if (name.startsWith("org.calando.gears.idle")) {
        return Optional.of("hbase");
      }
      if (name.startsWith("org.calando.gears.rack")) {
        return Optional.of("cassandra");
      }
      if (name.startsWith("org.calando.gears") || name.startsWith("org.calando.local.grep")) {
        return Optional.of("hdfs");
      }
      Matcher matcher = PACKAGE.matcher(name);
      return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass each) {
      return of(each).map(SliceIdentifier::of).orElseGet(SliceIdentifier::ignore);
    }

    @Override
    public String getDescription() {
      return "engines";
    }
  }

  @ArchTest
  static final ArchRule theSessionNeedsCoreControlAndTheDriverOnly =
      classes()
          .that()
          .resideInAPackage("org.calando.session..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.session..",
              "org.calando.core..",
              "org.calando.control",
              "org.calando.http",
              "com.datastax.oss.driver.api..",
              "com.datastax.dse.driver.api..",
              // What makes synchronous and reactive answers of asynchronous ones: OwnLevelRetry.
              "com.datastax.oss.driver.internal.core.cql",
              "com.datastax.oss.driver.internal.core.util.concurrent",
              "com.datastax.dse.driver.internal.core.cql.reactive",
              "java..",
              "org.jspecify..");

  /**
   * An application has no jar for control's journals: none of its classes that need one is loaded.
   */
  @ArchTest
  static final ArchRule theSessionNeedsNoJarOfControls =
      noClasses()
          .that()
          .resideInAPackage("org.calando.session..")
          .should()
          .transitivelyDependOnClassesThat()
          .resideInAPackage("com.fasterxml..");

  @ArchTest
  static final ArchRule ycsbsClientNeedsTheSessionOnly =
      classes()
          .that()
          .resideInAPackage("org.calando.ycsb..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.ycsb..",
              "org.calando.session",
              "org.calando.core..",
              "com.datastax.oss.driver.api..",
              "site.ycsb..",
              "java..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule nothingLeansOnYcsbsClient =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.calando.ycsb..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.calando.ycsb..", "site.ycsb..");

  @ArchTest
  static final ArchRule whatIsInternalIsUsedBesideItOnly = classes().should(useNoOthersInternals());

  /** Package p.internal is for p and what is below it. */
  private static ArchCondition<JavaClass> useNoOthersInternals() {
    return new ArchCondition<>("use no other part's internal packages") {
      @Override
      public void check(JavaClass user, ConditionEvents events) {
        for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
          String used = dependency.getTargetClass().getBaseComponentType().getPackageName();
          int end = used.indexOf(".internal");
          if (used.startsWith("org.calando.")
              && end > 0
              && !(user.getPackageName() + ".").startsWith(used.substring(0, end + 1))) {
            events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
          }
        }
      }
    };
  }

  @ArchTest
  static final ArchRule capabilitiesAreAskedForAndNotClassesOfStores =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.calando.store..")
          .should(testForClassesOfStores());

  private static ArchCondition<JavaClass> testForClassesOfStores() {
    return new ArchCondition<>("test for classes of stores by instanceof") {
      @Override
      public void check(JavaClass user, ConditionEvents events) {
        for (InstanceofCheck test : user.getInstanceofChecks()) {
          JavaClass tested = test.getRawType();
          if (tested.getPackageName().startsWith("org.calando.store.")) {
            String where = user.getName() + " tests for " + tested.getName();
            events.add(SimpleConditionEvent.satisfied(user, where));
          }
        }
      }
    };
  }

  @ArchTest
  static final ArchRule nothingLeansOnTheCommand =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.calando.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.calando.cli..");

  @ArchTest
  static final ArchRule oneClassHasControllersDecide =
      noClasses()
          .that()
          .areNotAssignableTo(Controller.class)
          .and()
          .areNotAssignableTo(PolicyLoop.class)
          .should()
          .callMethodWhere(
              target(owner(assignableTo(Controller.class))).and(target(name("decide"))));

  @ArchTest
  static final ArchRule timeIsHandedIn =
      noClasses()
          .that()
          .resideInAnyPackage(
              "org.calando.core..",
              "org.calando.load..",
              "org.calando.control..",
              "org.calando.sim..",
              "org.calando.gears..")
          .and()
          .resideOutsideOfPackage("org.calando.core.time")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(SystemClock.class, RealTimeScheduler.class);

  @ArchTest
  static final ArchRule loadTakesItsClockFromOutside =
      noClasses()
          .that()
          .resideInAPackage("org.calando.load..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");
}
