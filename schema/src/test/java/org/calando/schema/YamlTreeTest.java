package org.calando.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YamlTreeTest {
  private final Problems problems = new Problems();

  @Test
  void placesAreThoseOfTheText() {
    Tree tree = YamlTree.parse("a:\n  - b: [x,\n      y]\n", "f", problems).orElseThrow();

    assertThat(tree.locate(TreePath.parse("a[0].b[1]").orElseThrow()))
        .isEqualTo(new Where("f", 3, 7));
    assertThat(tree.locate(TreePath.parse("a[0].b[7].c").orElseThrow()))
        .as("nearest ancestor")
        .isEqualTo(new Where("f", 2, 8));
    assertThat(problems.count()).isZero();
  }

  @Test
  void aliasIsItsAnchorsValue() {
    Tree tree = YamlTree.parse("{a: &x [1], b: *x}", "f", problems).orElseThrow();

    assertThat(tree.find(TreePath.parse("b[0]").orElseThrow()).orElseThrow().shape())
        .isEqualTo("'1'");
  }

  @Test
  void aliasesThatMultiplyAreRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(5)));
    }

    assertThat(YamlTree.parse(bomb.toString(), "f", problems)).isEmpty();
    assertThat(problems.lines()).singleElement().asString().contains("aliases expand to too much");
  }

  @Test
  void deepNestingIsRefused() {
    assertThat(YamlTree.parse("[".repeat(100_000), "f", problems)).isEmpty();
    assertThat(problems.lines()).containsExactly("f:1:33: nested deeper than 32 levels");
  }

  @Test
  void longFileIsRefused() {
    assertThat(YamlTree.parse("a: b\n".repeat(300_000), "f", problems)).isEmpty();
    assertThat(problems.lines()).singleElement().asString().contains("limit");
  }

  @Test
  void severalDocumentsAreRefused() {
    assertThat(YamlTree.parse("a: 1\n---\nb: 2\n", "f", problems)).isEmpty();
    assertThat(problems.lines()).singleElement().asString().startsWith("f:2:1: not YAML: ");
  }

  @Test
  void problemsBeyondTheBoundAreCounted() {
    YamlTree.parse("a: 1\n".repeat(151), "f", problems);

    assertThat(problems.lines()).hasSize(101).endsWith("and 50 more");
  }
}
