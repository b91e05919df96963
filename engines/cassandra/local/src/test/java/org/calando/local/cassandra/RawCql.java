package org.calando.local.cassandra;

import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** As much of the native protocol (version 4) as a test needs without a driver. */
final class RawCql implements AutoCloseable {
  static final int ONE = 1;
  static final int QUORUM = 4;
  static final int ALL = 5;

  private static final int ERROR = 0;
  private static final int STARTUP = 1;
  private static final int QUERY = 7;

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;

  RawCql(LocalNode node) throws IOException {
    socket = new Socket(node.address(), node.cqlPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
    byte[] key = "CQL_VERSION".getBytes(StandardCharsets.UTF_8);
    byte[] value = "3.0.0".getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(6 + key.length + value.length);
    body.putShort((short) 1).putShort((short) key.length).put(key);
    body.putShort((short) value.length).put(value);
    exchange(STARTUP, body.array());
  }

  /** Makes the table k.t and waits until all nodes know it. */
  void createTable(String replication) throws IOException {
    run("CREATE KEYSPACE k WITH replication = " + replication, ONE);
    run("CREATE TABLE k.t (id int PRIMARY KEY, v int)", ONE);
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreException(IOException.class)
        .until(() -> run("INSERT INTO k.t (id, v) VALUES (0, 0)", ALL) > 0);
  }

  /** Runs a statement and returns the time it took in nanoseconds. */
  long run(String statement, int consistency) throws IOException {
    byte[] text = statement.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(7 + text.length);
    body.putInt(text.length).put(text).putShort((short) consistency).put((byte) 0);
    long begin = System.nanoTime();
    exchange(QUERY, body.array());
    return System.nanoTime() - begin;
  }

  private void exchange(int opcode, byte[] body) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + body.length);
    frame.put((byte) 4).put((byte) 0).putShort((short) 0).put((byte) opcode);
    frame.putInt(body.length).put(body);
    out.write(frame.array());
    in.readNBytes(4);
    int answer = in.readByte();
    byte[] answerBody = in.readNBytes(in.readInt());
    if (answer == ERROR) {
      throw new IOException(new String(answerBody, StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
