package org.calando.power.snmp;

import java.util.Optional;
import org.calando.power.Secret;

/** How a device lets itself be read. Immutable and thread safe; passwords are named, not held. */
public sealed interface SnmpAccess {
  /** Which version of SNMP it is, for messages: {@code SNMP v2c}. */
  String label();

  /**
   * Version 2c: whoever knows the community may read, and it travels in the clear.
   *
   * @param community where the community is kept; {@code public} without one
   */
  record Community(Optional<Secret> community) implements SnmpAccess {
    @Override
    public String label() {
      return "SNMP v2c";
    }
  }

  /**
   * Version 3 with the user-based security model (RFC 3414).
   *
   * @param name the user
   * @param authentication how messages are signed; neither signed nor encrypted without it
   * @param privacy how messages are encrypted; needs authentication
   */
  record User(String name, Optional<Authentication> authentication, Optional<Privacy> privacy)
      implements SnmpAccess {
    /** Checks that nothing is encrypted without being signed. */
    public User {
      if (name.isEmpty() || (privacy.isPresent() && authentication.isEmpty())) {
        throw new IllegalArgumentException("a user has a name, and no privacy alone");
      }
    }

    @Override
    public String label() {
      return "SNMP v3";
    }
  }

  /**
   * How messages are signed.
   *
   * @param digest the algorithm
   * @param password where the password is kept, 8 characters or more
   */
  record Authentication(Digest digest, Secret password) {}

  /**
   * How messages are encrypted.
   *
   * @param cipher the algorithm
   * @param password where the password is kept, 8 characters or more
   */
  record Privacy(Cipher cipher, Secret password) {}

  /** Signatures: HMAC with SHA-1 (RFC 3414) or SHA-2 (RFC 7860). MD5 is too weak to offer. */
  enum Digest {
    SHA1,
    SHA224,
    SHA256,
    SHA384,
    SHA512
  }

  /** Encryption; DES is weak and for devices that have nothing better. */
  enum Cipher {
    AES128,
    AES192,
    AES256,
    DES
  }
}
