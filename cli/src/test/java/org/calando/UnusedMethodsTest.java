package org.calando;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What nothing in main calls goes, or is called. */
class UnusedMethodsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  private static final Pattern CALL = Pattern.compile("(?:\\.|::)(\\w+)");

  /** Methods without a caller when the limit was set; only falls. */
  private static final int MOST = 44;

  /** For applications, and for programs that call by name. */
  private static final Set<String> PUBLIC =
      Set.of("org.calando.session", "org.calando.ycsb", "org.calando.hdfs");

  @Test
  void methodsHaveCallers() throws IOException {
    Set<String> called = namesCalledElsewhere();
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(
                location -> !location.contains("test-classes") && !location.contains("-tests"))
            .importPackages("org.calando");
    List<String> unused =
        all.stream()
            .filter(type -> !PUBLIC.contains(type.getPackageName()))
            .flatMap(type -> type.getMethods().stream())
            .filter(UnusedMethodsTest::isUnused)
            .filter(method -> !called.contains(method.getName()))
            .map(JavaMethod::getFullName)
            .sorted()
            .toList();
    assertThat(unused).as("call it, remove it, or lower the number").hasSizeLessThanOrEqualTo(MOST);
  }

  /** What is called by programs that are not on this class path, whatever class it is of. */
  private static Set<String> namesCalledElsewhere() throws IOException {
    Set<String> names = new HashSet<>();
    for (String program : List.of("bench", "it", "engines/hdfs/placement")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(program))) {
        for (Path file :
            files.filter(each -> each.toString().matches(".*/src/main/java/.*[.]java")).toList()) {
          CALL.matcher(Files.readString(file)).results().forEach(call -> names.add(call.group(1)));
        }
      }
    }
    return names;
  }

  private static boolean isUnused(JavaMethod method) {
    JavaClass owner = method.getOwner();
    boolean byName =
        method.getName().equals("main")
            || method.getName().startsWith("lambda$")
            || method.getModifiers().contains(JavaModifier.SYNTHETIC)
            || !method.getAnnotations().isEmpty()
            || (owner.isEnum() && Set.of("values", "valueOf").contains(method.getName()))
            || (owner.isRecord() && isOfRecord(method));
    return !byName
        && method.getAccessesToSelf().isEmpty()
        && supertypes(owner).noneMatch(type -> declares(type, method))
        && owner.getAllSubclasses().stream().noneMatch(type -> isCalledAs(type, method));
  }

  private static boolean isOfRecord(JavaMethod method) {
    return Set.of("equals", "hashCode", "toString").contains(method.getName())
        || method.getOwner().getFields().stream()
            .anyMatch(field -> field.getName().equals(method.getName()));
  }

  private static Stream<JavaClass> supertypes(JavaClass type) {
    return Stream.concat(
        type.getAllRawInterfaces().stream(), type.getAllRawSuperclasses().stream());
  }

  private static boolean declares(JavaClass type, JavaMethod method) {
    return type.getMethods().stream()
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && other.getRawParameterTypes().size() == method.getRawParameterTypes().size());
  }

  /** A method that a class has from its superclass may be called by the class's own name. */
  private static boolean isCalledAs(JavaClass type, JavaMethod method) {
    return type.getMethodCallsToSelf().stream()
            .anyMatch(call -> call.getTarget().getName().equals(method.getName()))
        || type.getMethodReferencesToSelf().stream()
            .anyMatch(call -> call.getTarget().getName().equals(method.getName()));
  }
}
