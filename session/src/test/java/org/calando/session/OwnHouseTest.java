package org.calando.session;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** An application gets this module, core, and nothing else of ours or of anybody's. */
@AnalyzeClasses(
    packages = "org.calando.session",
    importOptions = ImportOption.DoNotIncludeTests.class)
class OwnHouseTest {
  @ArchTest
  static final ArchRule theSessionNeedsCoreAndTheDriverOnly =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "org.calando.session..",
              "org.calando.core..",
              "com.datastax.oss.driver.api..",
              "com.datastax.dse.driver.api..",
              "java..",
              "org.jspecify..");
}
