package org.calando.power.snmp;

import org.calando.power.MeterException;
import org.calando.power.Secret;
import org.calando.power.snmp.SnmpAccess.Cipher;
import org.calando.power.snmp.SnmpAccess.Digest;
import org.jspecify.annotations.Nullable;
import org.snmp4j.security.AuthHMAC128SHA224;
import org.snmp4j.security.AuthHMAC192SHA256;
import org.snmp4j.security.AuthHMAC256SHA384;
import org.snmp4j.security.AuthHMAC384SHA512;
import org.snmp4j.security.AuthSHA;
import org.snmp4j.security.PrivAES128;
import org.snmp4j.security.PrivAES192;
import org.snmp4j.security.PrivAES256;
import org.snmp4j.security.PrivDES;
import org.snmp4j.security.SecurityLevel;
import org.snmp4j.security.UsmUser;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;

/** Users of SNMP v3 as the library wants them. */
final class SnmpUsers {
  private static final int MIN_PASSWORD = 8;

  private SnmpUsers() {}

  /** The user with its passwords, read now. */
  static UsmUser user(SnmpDevice device, SnmpAccess.User user) throws MeterException {
    OID digest = null;
    OctetString digestPassword = null;
    OID cipher = null;
    OctetString cipherPassword = null;
    if (user.authentication().isPresent()) {
      digest = oid(user.authentication().get().digest());
      digestPassword = password(device, "auth", user.authentication().get().password());
    }
    if (user.privacy().isPresent()) {
      cipher = oid(user.privacy().get().cipher());
      cipherPassword = password(device, "privacy", user.privacy().get().password());
    }
    return usmUser(SnmpSession.octets(user.name()), digest, digestPassword, cipher, cipherPassword);
  }

  // The library takes null for what a user does not have.
  @SuppressWarnings("NullAway")
  private static UsmUser usmUser(
      OctetString name,
      @Nullable OID digest,
      @Nullable OctetString digestPassword,
      @Nullable OID cipher,
      @Nullable OctetString cipherPassword) {
    return new UsmUser(name, digest, digestPassword, cipher, cipherPassword);
  }

  private static OctetString password(SnmpDevice device, String which, Secret secret)
      throws MeterException {
    OctetString password = SnmpSession.octets(secret.read());
    if (password.length() < MIN_PASSWORD) {
      throw new MeterException(
          "its " + which + " password is shorter than SNMP v3 allows",
          device.where(),
          "use a password of at least " + MIN_PASSWORD + " characters, also in the device");
    }
    return password;
  }

  /** Whether a user's messages are signed and encrypted, as RFC 3411 counts it: 1 to 3. */
  static int level(SnmpAccess.User user) {
    if (user.privacy().isPresent()) {
      return SecurityLevel.AUTH_PRIV;
    }
    return user.authentication().isPresent()
        ? SecurityLevel.AUTH_NOPRIV
        : SecurityLevel.NOAUTH_NOPRIV;
  }

  private static OID oid(Digest digest) {
    return switch (digest) {
      case SHA1 -> AuthSHA.ID;
      case SHA224 -> AuthHMAC128SHA224.ID;
      case SHA256 -> AuthHMAC192SHA256.ID;
      case SHA384 -> AuthHMAC256SHA384.ID;
      case SHA512 -> AuthHMAC384SHA512.ID;
    };
  }

  private static OID oid(Cipher cipher) {
    return switch (cipher) {
      case AES128 -> PrivAES128.ID;
      case AES192 -> PrivAES192.ID;
      case AES256 -> PrivAES256.ID;
      case DES -> PrivDES.ID;
    };
  }
}
