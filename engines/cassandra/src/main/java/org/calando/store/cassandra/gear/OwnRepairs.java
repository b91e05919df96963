package org.calando.store.cassandra.gear;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import org.calando.store.cassandra.internal.JmxNode;

/** Repairs that a node begins by itself (CEP-37), where its version does. Stateless. */
final class OwnRepairs {
  private static final String BEAN = "org.apache.cassandra.db:type=AutoRepairService";

  /** As nodetool getautorepairconfig prints it. */
  private static final Pattern ENABLED =
      Pattern.compile("repair_type:\\s*(\\w+)\\s+enabled:\\s*true");

  private static final Pattern TYPE = Pattern.compile("repair_type:");
  private static final Set<String> USUAL = Set.of("full", "incremental");

  private OwnRepairs() {}

  /** Types of repair that it begins; all usual ones where it does not tell which. */
  static Set<String> of(JmxNode jmx) throws IOException, JMException {
    Optional<Object> disabled = jmx.readIfThere(BEAN, "AutoRepairDisabled");
    if (disabled.isEmpty() || Boolean.TRUE.equals(disabled.get())) {
      return Set.of();
    }
    return enabled(
        jmx.readIfThere(BEAN, "AutoRepairConfiguration").map(String::valueOf).orElse(""));
  }

  static Set<String> enabled(String configuration) {
    if (!TYPE.matcher(configuration).find()) {
      return USUAL;
    }
    Set<String> types = new TreeSet<>();
    Matcher found = ENABLED.matcher(configuration);
    while (found.find()) {
      types.add(found.group(1));
    }
    return types;
  }

  static void set(JmxNode jmx, Set<String> types, boolean does) throws IOException, JMException {
    for (String type : types) {
      jmx.call(BEAN, "setAutoRepairEnabled", type, does);
    }
  }
}
