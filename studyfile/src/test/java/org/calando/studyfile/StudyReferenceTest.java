package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.schema.Binding;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Problems;
import org.calando.schema.Tree;
import org.calando.schema.YamlTree;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StudyReferenceTest {
  private static final Path DOCS = TestFiles.MODULE.resolveSibling("docs");

  @Test
  @Tag(Golden.TAG)
  void referencePagesAndJsonSchemasAreUpToDate() {
    Golden.check(DOCS.resolve("reference.md"), StudyReference.page());
    Golden.check(DOCS.resolve("study.schema.json"), StudyReference.jsonSchema());
    Golden.check(DOCS.resolve("govern-reference.md"), StudyReference.governPage());
    Golden.check(DOCS.resolve("govern.schema.json"), StudyReference.governJsonSchema());
  }

  @Test
  void nothingIsSaidTwice() {
    List<String> sections = List.of(StudyReference.page().split("(?m)^## .*$", -1));
    List<String> told = sections.stream().map(StudyReferenceTest::withoutPlaces).toList();
    assertThat(told).doesNotHaveDuplicates();
    assertThat(StudyReference.page())
        .contains("## matrix\n\nThe same holds of `matrix[]`.")
        .contains("## power.pdus.NAME\n\nThe same holds of `store.inventory.pdus.NAME`.")
        .doesNotContain("`matrix[].workload[]`");
  }

  private static String withoutPlaces(String section) {
    return section.replaceFirst("The same holds of .*\n\n", "");
  }

  @Test
  void everyKeyIsExplainedAndItsExampleIsAccepted() {
    List<String> wrong = new ArrayList<>();
    StudySchema.type().objects("", (path, type) -> checkKeys(path, type, wrong));

    assertThat(wrong).isEmpty();
  }

  private static void checkKeys(String path, ObjectType<?> type, List<String> wrong) {
    for (Key<?> key : type.keys()) {
      if (key.doc().isEmpty() || key.example().isEmpty()) {
        wrong.add(path + "." + key.name() + " lacks its meaning or example");
      } else {
        Problems problems = new Problems();
        Optional<Tree> tree = YamlTree.parse(key.example(), "example", problems);
        key.type().bind(tree.orElseThrow(), new Binding(problems, path, TestFiles.CONFIG));
        wrong.addAll(problems.lines());
      }
    }
  }
}
