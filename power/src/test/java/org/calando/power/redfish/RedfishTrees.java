package org.calando.power.redfish;

/** Trees in the shapes of vendors' services, with values of our own. */
final class RedfishTrees {
  static final String ROOT = "/redfish/v1/";
  static final String CHASSIS = "/redfish/v1/Chassis";

  /** The one resource of the Power schema's tree. */
  static final String POWER = CHASSIS + "/System.Embedded.1/Power";

  /** The one resource of the EnvironmentMetrics schema's tree. */
  static final String METRICS = CHASSIS + "/1/EnvironmentMetrics";

  private RedfishTrees() {}

  /** Root and collection with sessions. */
  static RedfishServer service(RedfishServer server, String... chassis) {
    return server
        .show(
            ROOT,
            """
            {"RedfishVersion": "1.17.0", "Chassis": "@/redfish/v1/Chassis",
             "Links": {"Sessions": "@/redfish/v1/SessionService/Sessions"}}""")
        .collection(CHASSIS, chassis);
  }

  /** As iDRAC: the Power schema, and an enclosure of disks within the machine's chassis. */
  static RedfishServer powerShape(RedfishServer server) {
    String enclosure = CHASSIS + "/Enclosure.Internal.0-1";
    String system = CHASSIS + "/System.Embedded.1";
    service(server, enclosure, system)
        .show(
            enclosure,
            """
            {"Id": "Enclosure.Internal.0-1", "Name": "Backplane", "ChassisType": "Enclosure",
             "Links": {"ContainedBy": "@%s"}}"""
                .formatted(system))
        .show(
            system,
            """
            {"Id": "System.Embedded.1", "Name": "Computer System Chassis", "PowerState": "On",
             "ChassisType": "RackMount", "Power": "@%s", "Thermal": "@%s/Thermal"}"""
                .formatted(POWER, system));
    return powerShows(server, "231");
  }

  /** What the Power schema's tree shows. */
  static RedfishServer powerShows(RedfishServer server, String watts) {
    return server.show(
        POWER,
        """
        {"@odata.type": "#Power.v1_5_0.Power", "Id": "Power", "PowerControl": [
          {"MemberId": "1", "Name": "CPU Sub-system Power", "PowerConsumedWatts": 77},
          {"MemberId": "0", "Name": "System Power Control", "PowerCapacityWatts": 1100,
           "PowerConsumedWatts": %s,
           "PowerMetrics": {"AverageConsumedWatts": 199, "IntervalInMin": 60}}]}"""
            .formatted(watts));
  }

  /** As newer iLO and OpenBMC: EnvironmentMetrics, with links that end in a slash. */
  static RedfishServer metricsShape(RedfishServer server, String readings) {
    String chassis = CHASSIS + "/1";
    return service(server, chassis + "/")
        .show(
            chassis + "/",
            """
            {"Id": "1", "Name": "Chassis", "PowerState": "On", "Power": "@%s/Power/",
             "EnvironmentMetrics": "@%s", "PowerSubsystem": "@%s/PowerSubsystem"}"""
                .formatted(chassis, METRICS, chassis))
        .show(METRICS, "{\"Id\": \"EnvironmentMetrics\", " + readings + "}");
  }

  /** As several OpenBMC boards: nothing of the whole, but metrics of each supply. */
  static RedfishServer suppliesShape(RedfishServer server, String first, String second) {
    String subsystem = CHASSIS + "/board/PowerSubsystem";
    String supplies = subsystem + "/PowerSupplies";
    service(server, CHASSIS + "/board")
        .show(
            CHASSIS + "/board",
            "{\"Id\": \"board\", \"PowerState\": \"On\", \"PowerSubsystem\": \"@"
                + subsystem
                + "\"}")
        .show(subsystem, "{\"PowerSupplies\": \"@" + supplies + "\"}")
        .collection(supplies, supplies + "/0", supplies + "/1", supplies + "/2")
        .show(supplies + "/2", "{\"Status\": {\"State\": \"Absent\"}}");
    for (int i = 0; i < 2; i++) {
      String path = supplies + "/" + i;
      String watts = i == 0 ? first : second;
      server.show(
          path, "{\"Metrics\": \"@" + path + "/Metrics\", \"Status\": {\"State\": \"Enabled\"}}");
      server.show(path + "/Metrics", "{\"InputPowerWatts\": {\"Reading\": " + watts + "}}");
    }
    return server;
  }
}
