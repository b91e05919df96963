package org.calando.local.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelayLineTest {
  private static final long DELAY = 1_000_000;

  @Test
  void bytesLeaveInOrderAndNeverEarlierThanTheMergedTimeAllows() throws IOException {
    long seed = Long.getLong("calando.seed", 42);
    for (int run = 0; run < 50; run++) {
      randomRun(new Random(seed + run), "seed " + (seed + run));
    }
  }

  private static void randomRun(Random random, String description) throws IOException {
    int limit = 1 << (15 + random.nextInt(3));
    DelayLine.Budget budget = new DelayLine.Budget(1 << 20);
    DelayLine line = new DelayLine(DELAY, limit, budget);
    Deque<long[]> expected = new ArrayDeque<>();
    long now = 0;
    byte nextIn = 0;
    byte nextOut = 0;
    for (int step = 0; step < 300; step++) {
      now += random.nextInt(300_000);
      long stamp = now;
      byte[] bytes = new byte[random.nextInt(9000)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (nextIn + i);
      }
      int taken = line.readFrom(source(bytes), () -> stamp);
      if (taken > 0) {
        nextIn += (byte) taken;
        expected.add(new long[] {now, taken});
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int given = line.writeTo(sink(out, random.nextInt(12000)), now);
      assertThat(given).isEqualTo(out.size());
      byte[] due = new byte[given];
      for (int i = 0; i < given; i++) {
        due[i] = nextOut++;
      }
      assertThat(Arrays.equals(out.toByteArray(), due)).as(description).isTrue();
      requireDue(expected, given, now, description);
      assertThat(line.size()).as(description).isLessThanOrEqualTo(limit);
    }
    line.release();
    assertThat(budget.has(1 << 20)).isTrue();
  }

  private static void requireDue(Deque<long[]> expected, int given, long now, String description) {
    int left = given;
    while (left > 0) {
      long[] oldest = expected.getFirst();
      assertThat(oldest[0] + DELAY)
          .as(description)
          .isLessThanOrEqualTo(now + DelayLine.MERGE_NANOS);
      int part = (int) Math.min(left, oldest[1]);
      oldest[1] -= part;
      left -= part;
      if (oldest[1] == 0) {
        expected.removeFirst();
      }
    }
  }

  @Test
  void aFullLineTakesNothing() throws IOException {
    DelayLine line = new DelayLine(DELAY, 1 << 15, new DelayLine.Budget(1 << 20));
    assertThat(line.readFrom(source(new byte[100_000]), () -> 0)).isEqualTo(1 << 15);
    assertThat(line.isFull()).isTrue();
    assertThat(line.readFrom(source(new byte[10]), () -> 0)).isZero();
    assertThat(line.dueNanos()).isEqualTo(DELAY);
  }

  @Test
  void linesShareABudget() throws IOException {
    DelayLine.Budget budget = new DelayLine.Budget(20_000);
    DelayLine first = new DelayLine(DELAY, 1 << 20, budget);
    DelayLine second = new DelayLine(DELAY, 1 << 20, budget);
    assertThat(first.readFrom(source(new byte[100_000]), () -> 0)).isEqualTo(16 * 1024);
    assertThat(second.isFull()).isTrue();
    first.release();
    assertThat(second.isFull()).isFalse();
  }

  private static ReadableByteChannel source(byte[] bytes) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    return new ReadableByteChannel() {
      @Override
      public int read(ByteBuffer into) {
        int count = Math.min(left.remaining(), into.remaining());
        into.put(left.slice(left.position(), count));
        left.position(left.position() + count);
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  private static WritableByteChannel sink(ByteArrayOutputStream out, int room) {
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer from) {
        int count = Math.min(from.remaining(), room - out.size());
        byte[] bytes = new byte[count];
        from.get(bytes);
        out.writeBytes(bytes);
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
