package org.calando.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverridesTest {
  private final Problems problems = new Problems();

  private Object apply(String yaml, String... arguments) {
    Tree tree = YamlTree.parse(yaml, "f.yaml", problems).orElseThrow();
    Tree effective = Overrides.apply(tree, List.of(arguments), problems);
    Bound<Map<String, Object>> bound =
        Types.freeMap().bind(effective, new Binding(problems, "", Path.of("")));
    return bound == null ? Map.of() : bound.value();
  }

  @Test
  void valueReplacesAnother() {
    assertThat(apply("{a: {b: 1, c: 2}}", "a.b=[3, {x: 4}]"))
        .isEqualTo(Map.of("a", Map.of("b", List.of(3L, Map.of("x", 4L)), "c", 2L)));
  }

  @Test
  void itemOfListIsReplacedByIndex() {
    assertThat(apply("a: [1, {b: 2}, 3]", "a[1].b=5", "a[2]=6"))
        .isEqualTo(Map.of("a", List.of(1L, Map.of("b", 5L), 6L)));
  }

  @Test
  void missingMappingsAreMade() {
    assertThat(apply("a: 1", "b.c.d=x"))
        .isEqualTo(Map.of("a", 1L, "b", Map.of("c", Map.of("d", "x"))));
  }

  @Test
  void emptyValueRemovesTheKey() {
    assertThat(apply("{a: 1, b: 2}", "a=")).isEqualTo(Map.of("b", 2L));
  }

  @Test
  void laterArgumentsWin() {
    assertThat(apply("a: 1", "a=2", "a=3")).isEqualTo(Map.of("a", 3L));
  }

  @Test
  void everyWrongArgumentIsNamed() {
    apply("{a: [1], b: 2}", "a", "a[1]=2", "b.c=3", "b[0]=1", "..=1", "b=[1", "b={x: 1, x: 2}");

    assertThat(problems.lines())
        .containsExactly(
            "--set a: is not path=value; write for example --set workload.records=1000",
            "--set a[1]=2: a: has only 1 items; set the whole list",
            "--set b.c=3: b: is '2', not a mapping",
            "--set b[0]=1: b: is not a list; set the whole list",
            "--set ..=1: is not path=value; write for example --set workload.records=1000",
            "--set b=[1: not YAML: expected ',' or ']', but got <stream end> while parsing a flow"
                + " sequence",
            "--set b={x: 1, x: 2}: x: duplicate key; remove one of them");
  }
}
