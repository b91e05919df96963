package org.calando.store.cassandra.internal;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.calando.store.cassandra.Endpoint;

/**
 * Shakes hands with a port to tell why the driver cannot: drivers report most refusals as a lost
 * connection. Sends nothing but the handshake. Stateless.
 */
final class TlsProbe {
  private static final int TIMEOUT_MILLIS = 3_000;
  private static final int REFUSAL_MILLIS = 300;

  /**
   * What stands in the way.
   *
   * @param what what is wrong
   * @param remedy what to do
   */
  record Obstacle(String what, String remedy) {}

  private TlsProbe() {}

  /** Why TLS with a port fails; empty if it does not, or nothing can be told. */
  static Optional<Obstacle> examine(TlsContext tls, Endpoint endpoint) {
    try {
      shakeHands(tls, endpoint);
      return Optional.empty();
    } catch (SSLException e) {
      return Optional.of(explain(e));
    } catch (SocketTimeoutException | EOFException e) {
      return Optional.of(plain());
    } catch (IOException e) {
      return Optional.empty(); // no connection at all: not a matter of TLS
    }
  }

  /** Whether a port answers a TLS handshake, whoever signed its certificate. */
  static boolean speaksTls(Endpoint endpoint) {
    try (Socket socket = connect(endpoint);
        SSLSocket secured = layer(SSLContext.getDefault(), socket, endpoint)) {
      secured.startHandshake();
      return true;
    } catch (SSLHandshakeException e) {
      // It went as far as its certificate, or as far as asking for ours.
      return find(e, CertificateException.class) || text(e).contains("certificate");
    } catch (IOException | GeneralSecurityException e) {
      return false;
    }
  }

  private static void shakeHands(TlsContext tls, Endpoint endpoint) throws IOException {
    try (Socket socket = connect(endpoint);
        SSLSocket secured = layer(tls.context(), socket, endpoint)) {
      SSLParameters parameters = secured.getSSLParameters();
      tls.secure(parameters);
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      awaitRefusal(secured);
    }
  }

  /** In TLS 1.3 a server refuses our certificate only after the handshake. */
  private static void awaitRefusal(SSLSocket secured) throws IOException {
    secured.setSoTimeout(REFUSAL_MILLIS);
    try {
      var unused = secured.getInputStream().read();
    } catch (SocketTimeoutException silent) {
      // it waits for a request: we are welcome
    }
  }

  private static Socket connect(Endpoint endpoint) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static SSLSocket layer(SSLContext context, Socket socket, Endpoint endpoint)
      throws IOException {
    return (SSLSocket)
        context.getSocketFactory().createSocket(socket, endpoint.host(), endpoint.port(), true);
  }

  static Obstacle explain(Throwable error) {
    String text = text(error);
    if (find(error, CertificateExpiredException.class)) {
      return new Obstacle("its certificate has expired", "renew the node's certificate");
    }
    if (find(error, CertificateNotYetValidException.class)) {
      return new Obstacle(
          "its certificate is not valid yet", "set the clocks of this machine and the node right");
    }
    if (find(error, CertPathBuilderException.class) || text.contains("path building failed")) {
      return new Obstacle(
          "its certificate is not signed by the CA that is trusted",
          "give the CA of the nodes' certificates as tls.ca or tls.truststore");
    }
    if (text.contains("subject alternative") || text.contains("no name matching")) {
      return new Obstacle(
          "its certificate names another host",
          "list the node by a name that its certificate carries, or set tls.verify-hostname: false"
              + " if you accept that any node with a trusted certificate may answer");
    }
    if (text.contains("certificate_required") || text.contains("bad_certificate")) {
      return new Obstacle(
          "it asks for a certificate of ours and got none that it trusts",
          "give tls.certificate and tls.key (or tls.keystore), signed by a CA that it trusts");
    }
    if (text.contains("unrecognized ssl message") || text.contains("not an ssl/tls record")) {
      return plain();
    }
    return new Obstacle(
        "the TLS handshake failed (" + error.getMessage() + ")",
        "compare the nodes' client_encryption_options with store.tls");
  }

  private static Obstacle plain() {
    return new Obstacle(
        "it does not speak TLS",
        "leave store.tls out if the network may be trusted, or give the port that is encrypted");
  }

  private static String text(Throwable error) {
    StringBuilder text = new StringBuilder();
    for (Throwable t = error; t != null; t = t.getCause()) {
      text.append(t.getMessage()).append('\n');
    }
    return text.toString().toLowerCase(Locale.ROOT);
  }

  private static boolean find(Throwable error, Class<? extends Throwable> type) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }
}
