package org.calando.study.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.study.config.schema.Binding;
import org.calando.study.config.schema.Key;
import org.calando.study.config.schema.ObjectType;
import org.calando.study.config.schema.Problems;
import org.calando.study.config.schema.Tree;
import org.calando.study.config.schema.YamlTree;
import org.junit.jupiter.api.Test;

class StudyReferenceTest {
  private static final Path DOCS = TestFiles.MODULE.resolveSibling("docs");

  @Test
  void referencePageIsUpToDate() throws IOException {
    assertThat(Files.readString(DOCS.resolve("reference.md")))
        .as("run StudyReference.main with the folder docs")
        .isEqualTo(StudyReference.page());
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
  void jsonSchemaIsUpToDate() throws IOException {
    assertThat(Files.readString(DOCS.resolve("study.schema.json")))
        .as("run StudyReference.main with the folder docs")
        .isEqualTo(StudyReference.jsonSchema());
    assertThat(Files.readString(DOCS.resolve("govern-reference.md")))
        .isEqualTo(StudyReference.governPage());
    assertThat(Files.readString(DOCS.resolve("govern.schema.json")))
        .isEqualTo(StudyReference.governJsonSchema());
  }

  @Test
  void everyKeyIsExplainedAndItsExampleIsAccepted() {
    List<String> wrong = new ArrayList<>();
    StudySchema.type().objects("", (path, type) -> checkKeys(path, type, wrong));

    assertThat(wrong).isEmpty();
  }

  private static void checkKeys(String path, ObjectType<?> type, List<String> wrong) {
    for (Key<?> key : type.keys()) {
      if (key.doc().isEmpty() || (key.available() && key.example().isEmpty())) {
        wrong.add(path + "." + key.name() + " lacks its meaning or example");
      } else if (key.available()) {
        Problems problems = new Problems();
        Optional<Tree> tree = YamlTree.parse(key.example(), "example", problems);
        key.type().bind(tree.orElseThrow(), new Binding(problems, path, TestFiles.CONFIG));
        wrong.addAll(problems.lines());
      }
    }
  }
}
