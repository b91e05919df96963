package org.calando.power.snmp;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.Variable;

/**
 * What a device answered in one exchange. Immutable and thread safe.
 *
 * @param byOid the answers
 */
record SnmpAnswers(Map<OID, Answer> byOid) {
  SnmpAnswers {
    byOid = Map.copyOf(byOid);
  }

  /** The answer for an object; null if the device left it out. */
  @Nullable Answer find(OID oid) {
    return byOid.get(oid);
  }

  /**
   * One answer.
   *
   * @param value what the object shows, if there was no error
   * @param error the device's word for what is wrong with this object, or an empty string
   * @param atNanos middle of the question and its answer
   */
  record Answer(@Nullable Variable value, String error, long atNanos) {}
}
