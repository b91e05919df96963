package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.calando.core.BadRequestException;
import org.calando.core.workload.RequestDistribution.Exponential;
import org.calando.core.workload.RequestDistribution.Hotspot;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Sequential;
import org.calando.core.workload.YcsbProperties.Parsed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YcsbPropertiesTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
  void theCoreWorkloadsAreThePresets(String letter) throws IOException {
    Parsed parsed = YcsbProperties.parse(file(letter), "workload" + letter);
    Workload preset = Presets.byName("ycsb-" + letter).orElseThrow().operationCount(1000).build();
    assertThat(parsed.workload()).isEqualTo(preset);
    assertThat(parsed.operationCount()).hasValue(1000);
    assertThat(parsed.threads()).isEmpty();
    assertThat(parsed.targetPerSecond()).isEmpty();
    assertThat(parsed.maxExecutionSeconds()).isEmpty();
    assertThat(parsed.warnings()).isEmpty();
  }

  @Test
  void defaultsAreYcsbs() {
    Parsed parsed = parse();
    assertThat(parsed.workload()).isEqualTo(Workload.builder().records(100).build());
    assertThat(parsed.operationCount()).isEmpty();
    assertThat(parsed.warnings()).isEmpty();
  }

  @Test
  void everythingThatCanBeHonouredIs() {
    Parsed parsed =
        parse(
            "operationcount=5000",
            "insertstart=10",
            "insertcount=20",
            "fieldcount=3",
            "fieldlength=40",
            "minfieldlength=4",
            "fieldlengthdistribution=zipfian",
            "readallfields=false",
            "writeallfields=TRUE",
            "readproportion=0.4",
            "updateproportion=0.1",
            "insertproportion=0.1",
            "scanproportion=0.2",
            "readmodifywriteproportion=0.2",
            "requestdistribution=hotspot",
            "hotspotdatafraction=0.1",
            "hotspotopnfraction=0.9",
            "minscanlength=2",
            "maxscanlength=30",
            "scanlengthdistribution=zipfian",
            "table=mine",
            "fieldnameprefix=f",
            "threadcount=8",
            "target=1500",
            "maxexecutiontime=60 ");
    assertThat(parsed.workload())
        .isEqualTo(
            new Workload(
                100,
                10,
                20,
                5000,
                3,
                Lengths.zipfian(4, 40),
                false,
                true,
                new Mix(0.4, 0.1, 0.1, 0.2, 0.2),
                new Hotspot(0.1, 0.9),
                Lengths.zipfian(2, 30),
                "mine",
                "f"));
    assertThat(parsed.operationCount()).hasValue(5000);
    assertThat(parsed.threads()).hasValue(8);
    assertThat(parsed.targetPerSecond()).hasValue(1500);
    assertThat(parsed.maxExecutionSeconds()).hasValue(60);
    assertThat(parsed.warnings()).isEmpty();
  }

  @Test
  void zipfianIsScrambledAndOtherDistributionsKeepTheirNames() {
    assertThat(parse("requestdistribution=zipfian").workload().requests())
        .isEqualTo(new ScrambledZipfian(0.99));
    assertThat(parse("requestdistribution=sequential").workload().requests())
        .isEqualTo(new Sequential());
    assertThat(
            parse(
                    "requestdistribution=exponential",
                    "exponential.percentile=90",
                    "exponential.frac=0.5")
                .workload()
                .requests())
        .isEqualTo(new Exponential(90, 0.5));
  }

  @Test
  void expectedNewKeysAreTwiceTheInserts() throws IOException {
    Workload e = YcsbProperties.parse(file("e"), "workloade").workload();
    assertThat(e.expectedNewKeys()).isEqualTo(100);
  }

  @Test
  void proportionsAreWeights() {
    Parsed parsed = parse("readproportion=1", "updateproportion=3");
    assertThat(parsed.workload().mix()).isEqualTo(Mix.readUpdate(0.25, 0.75));
    assertThat(parsed.warnings()).singleElement().asString().contains("sum to 4.0");
  }

  @Test
  void aZeroLimitIsNone() {
    Parsed parsed = parse("operationcount=0", "target=0", "maxexecutiontime=0");
    assertThat(parsed.operationCount()).isEmpty();
    assertThat(parsed.targetPerSecond()).isEmpty();
    assertThat(parsed.maxExecutionSeconds()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "readallfieldsbyname=true",
    "dataintegrity=true",
    "insertorder=ordered",
    "zeropadding=8",
    "core_workload_insertion_retry_limit=3",
    "core_workload_insertion_retry_interval=1",
    "core_workload_insertion_keep_going_on_error=true",
    "dotransactions=false",
    "fieldlengthhistogram=hist.txt",
    "cassandra.readconsistencylevel=QUORUM",
    "measurementtype=timeseries",
    "hdrhistogram.percentiles=50",
    "status.interval=5",
    "db=site.ycsb.BasicDB",
    "readproprotion=0.5"
  })
  void whatIsIgnoredIsNamedWithAReason(String property) {
    String name = property.substring(0, property.indexOf('='));
    assertThat(parse(property).warnings())
        .singleElement()
        .asString()
        .startsWith(name + " is ignored: ")
        .hasSizeGreaterThan(name.length() + 20);
  }

  @Test
  void ignoringADefaultNeedsNoWarning() {
    assertThat(
            parse(
                    "readallfieldsbyname=false",
                    "dataintegrity=false",
                    "insertorder=hashed",
                    "zeropadding=1",
                    "core_workload_insertion_retry_limit=0",
                    "dotransactions=true",
                    "maxscanrate=0")
                .warnings())
        .isEmpty();
  }

  @Test
  void insertsOfUnknownNumberIntoAScrambledKeySpaceAreWarnedOf() {
    assertThat(
            parse("requestdistribution=zipfian", "insertproportion=0.05", "updateproportion=0")
                .warnings())
        .singleElement()
        .asString()
        .startsWith("operationcount is missing");
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    BadRequestException error =
        failure(
            "workload=site.ycsb.workloads.TimeSeriesWorkload",
            "requestdistribution=pareto",
            "fieldlengthdistribution=histogram",
            "scanlengthdistribution=latest",
            "minscanlength=0",
            "readallfields=yes",
            "readproportion=-1",
            "fieldcount=ten",
            "insertstart=200",
            "table=my table");
    assertThat(error)
        .hasMessageContainingAll(
            "bad.properties: ",
            "workload: \"site.ycsb.workloads.TimeSeriesWorkload\"",
            "requestdistribution: \"pareto\" is none of uniform, zipfian, latest, hotspot,",
            "fieldlengthdistribution: histogram is not supported",
            "scanlengthdistribution: \"latest\" is none of uniform, zipfian",
            "minscanlength: 0",
            "readallfields: \"yes\"",
            "readproportion: -1",
            "fieldcount: \"ten\"",
            "insertstart, insertcount: 200 leaves none of 100 records",
            "table: \"my table\"");
    assertThat(error.exitCode()).isEqualTo(2);
  }

  @Test
  void aMalformedValueMakesNoProblemsOfItsDefault() {
    BadRequestException error = failure("recordcount=many", "insertstart=50");
    assertThat(error.getMessage().lines().filter(line -> line.startsWith("  ")))
        .containsExactly(
            "  recordcount: \"many\" is not a whole number",
            "  remedy: change the properties named; the others may stay");
  }

  @Test
  void impossibleRangesAreNamedByTheirProperties() {
    assertThat(failure("minscanlength=20", "maxscanlength=10"))
        .hasMessageContaining("maxscanlength, scanlengthdistribution: minimum 20");
    assertThat(failure("fieldlengthdistribution=uniform", "minfieldlength=200"))
        .hasMessageContaining("minfieldlength, fieldlength");
    assertThat(failure("insertcount=101")).hasMessageContaining("101 from 0 on");
    assertThat(failure("readproportion=0", "updateproportion=0"))
        .hasMessageContaining("all proportions are 0");
  }

  @Test
  void theRecordCountIsRequired() {
    BadRequestException error =
        catchThrowableOfType(
            BadRequestException.class, () -> YcsbProperties.parse(Map.of(), "empty"));
    assertThat(error).hasMessageContaining("recordcount: missing");
  }

  private static Parsed parse(String... properties) {
    return YcsbProperties.parse(map(properties), "test.properties");
  }

  private static BadRequestException failure(String... properties) {
    BadRequestException error =
        catchThrowableOfType(
            BadRequestException.class,
            () -> YcsbProperties.parse(map(properties), "bad.properties"));
    assertThat(error).isNotNull();
    return error;
  }

  private static Map<String, String> map(String... properties) {
    Map<String, String> map = new HashMap<>();
    map.put("recordcount", "100");
    for (String property : properties) {
      int equals = property.indexOf('=');
      map.put(property.substring(0, equals), property.substring(equals + 1));
    }
    return map;
  }

  private static Map<String, String> file(String letter) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = YcsbPropertiesTest.class.getResourceAsStream("/ycsb/workload" + letter)) {
      properties.load(in);
    }
    Map<String, String> map = new HashMap<>();
    properties.forEach((key, value) -> map.put((String) key, (String) value));
    return map;
  }
}
