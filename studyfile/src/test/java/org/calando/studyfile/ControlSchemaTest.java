package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.knob.GearSchema;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.Point;
import org.junit.jupiter.api.Test;

class ControlSchemaTest {
  private static final String STORE =
      """
      study: together
      store: {engine: sim, sim: {nodes: 6, rf: 3, gears: {nodes: [2, 4, 6], capacity: 100/s}}}
      workload: {preset: heavy-update, records: 100, duration: 5s}
      """;

  private static StudySpec study(String matrix) {
    return StudyFile.parse(
        STORE + "matrix: {rate: [100/s], " + matrix + "}\n", "study.yaml", Path.of(""), List.of());
  }

  @Test
  void policiesBesideEachOtherAreThoseOfTheirOwnKeys() {
    Point beside =
        study("control: [{beside: [{pbs: {tolerate: 1%}}, {load: {residency: 2s}}, {fresh: 1s}]}]")
            .matrix()
            .get(0)
            .points()
            .get(0);
    Point keys =
        study(
                "consistency: [{pbs: {tolerate: 1%}}], gear: [{load: {residency: 2s}}],"
                    + " write-buffer: [{fresh: 1s}]")
            .matrix()
            .get(0)
            .points()
            .get(0);
    assertThat(beside).isEqualTo(keys);
    assertThat(TestFiles.levels(beside)).isEqualTo("pbs(1%)/ONE");
  }

  @Test
  void aValueThatIsHeldMayStandAmongPoliciesWithOrWithoutItsKnob() {
    MatrixSpec matrix =
        study(
                "control: [{beside: [QUORUM, {gear: 2}, strong]}, {beside: [ONE, 3]},"
                    + " {beside: [{consistency: {read: ONE, write: QUORUM}}, {schedule: [{at:"
                    + " \"7:00\", gear: 2}]}]}]")
            .matrix()
            .get(0);
    assertThat(matrix.points())
        .extracting(point -> TestFiles.levels(point), point -> point.get(GearSchema.AXIS).label())
        .containsExactly(
            tuple("QUORUM", "2"), tuple("ONE", "3"), tuple("ONE/QUORUM", "schedule(7:00 2)"));
    assertThat(matrix.configurations()).isEqualTo(3);
    assertThat(matrix.sets(GearSchema.AXIS)).isTrue();
    assertThat(matrix.sets(ManagedClocksSchema.AXIS)).isFalse();
  }

  @Test
  void otherAxesAreComparedWithEachItem() {
    MatrixSpec matrix =
        study(
                "consistency: [ONE, {harmony: {tolerate: 5%}}], control: [{beside: [{load: {}}]},"
                    + " {beside: [{load: {}}, {fresh: 1s}]}]")
            .matrix()
            .get(0);
    assertThat(matrix.configurations()).isEqualTo(4);
    assertThat(matrix.points()).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void theCanonicalTextNamesEachKnobAndIsReadAlike() {
    StudySpec study = study("control: [{beside: [{pbs: {tolerate: 1%}}, 3, {fresh: 1s}]}]");
    assertThat(study.canonicalText()).contains("gear: 3").contains("consistency:").contains("pbs:");
    StudySpec again = StudyFile.parse(study.canonicalText(), "again.yaml", Path.of(""), List.of());
    assertThat(again).isEqualTo(study);
    assertThat(again.fingerprint()).isEqualTo(study.fingerprint());
  }

  @Test
  void whatSetsAKnobTwiceIsRefusedWithPlaceAndRemedy() {
    assertRefused(
        "control: [{beside: [{pbs: {tolerate: 1%}}, QUORUM]}]",
        "matrix.control[0].beside[1]: sets consistency, as beside[0] does; keep one of them");
    assertRefused(
        "consistency: [ONE], gear: [2], control: [{beside: [{load: {}}]}]",
        "matrix.control[0].beside[0]: sets gear, as the key gear of the matrix does; remove one of"
            + " them");
    assertRefused(
        "control: [{beside: [{pbs: {tolerate: 1%}, load: {}}]}]",
        "says something of consistency and of gear; write each by itself, such as {consistency:");
  }

  @Test
  void whatIsNoPolicyAndWhatTheStoreHasNotIsRefused() {
    assertRefused("control: [{beside: [ONE, lode]}]", "beside[1]: is 'lode', not a value of");
    assertRefused(
        "control: [{beside: [ONE, {lod: {}}]}]",
        "beside[1].lod: unknown policy or knob; did you mean load?");
    assertRefused("control: [{beside: [ONE, [2]]}]", "is a list, not a value of");
    assertRefused("control: [{}]", "matrix.control[0]: beside or joint is missing");
    assertRefused("control: [{beside: [{load: {}}]}]", "matrix.consistency: is missing");
    assertRefused(
        "control: [{beside: [{load: {}}]}, {beside: [ONE, {load: {}}]}]",
        "matrix.control[0]: has no level or policy of reads; add one, such as QUORUM");
    assertRefused(
        "control: [{beside: [ONE, slack]}]",
        "matrix.control[0].beside[1]: no node of the simulated cluster is a replica only");
    assertRefused(
        "control: [{beside: [ALL, {load: {}}]}]",
        "beside[1]: gear 1 has 1 of the 3 replicas that ALL needs");
    assertRefused(
        "control: [{beside: [ONE, {gear: 4}]}]", "beside[1]: there is no gear 4; write at most 3");
    assertRefused(
        "consistency: [ONE, ONE], control: [{beside: [{load: {}}]}]", "occurs twice in the list");
  }

  /** Levels of one item say nothing of the gears of another. */
  @Test
  void levelsAreCheckedAgainstTheGearsOfTheirOwnItemOnly() {
    assertThat(
            study("control: [{beside: [ALL, {gear: 3}]}, {beside: [ONE, {gear: 1}]}]")
                .matrix()
                .get(0)
                .points())
        .hasSize(2);
  }

  private static void assertRefused(String matrix, String why) {
    assertThatThrownBy(() -> study(matrix))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(why);
  }
}
