package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.calando.core.store.Completion;
import org.calando.core.store.FirstErrors;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.jspecify.annotations.Nullable;

/**
 * The place of one operation under way and, at the same time, the callback that the driver calls at
 * its end; made once and reused. Used by one operation at a time; the driver's hand-over orders the
 * caller's writes before the callback's reads.
 */
final class Slot implements BiConsumer<@Nullable AsyncResultSet, @Nullable Throwable> {
  enum Kind {
    READ,
    WRITE,
    SCAN
  }

  private final int index;
  private final FirstErrors errors;
  private Kind kind = Kind.READ;
  private @Nullable Completion completion;

  Slot(int index, FirstErrors errors) {
    this.index = index;
    this.errors = errors;
  }

  void begin(Kind kind, Completion completion) {
    if (this.completion != null) {
      throw new IllegalStateException("slot " + index + " has an operation under way");
    }
    this.kind = kind;
    this.completion = completion;
  }

  @Override
  public void accept(@Nullable AsyncResultSet rows, @Nullable Throwable error) {
    if (error != null || rows == null) {
      fail(error == null ? new IllegalStateException("no result") : error);
    } else if (kind == Kind.READ) {
      endRead(rows);
    } else {
      end(Outcome.OK, Session.NO_VERSION);
    }
  }

  private void endRead(AsyncResultSet rows) {
    Row row = rows.one();
    if (row == null) {
      end(Outcome.NOT_FOUND, Session.NO_VERSION);
      return;
    }
    ByteBuffer version = row.getBytesUnsafe(0);
    if (version == null || version.remaining() != Long.BYTES) {
      // Every write of ours sets it: somebody else wrote this row.
      end(Outcome.FAILED, Session.NO_VERSION);
      return;
    }
    end(Outcome.OK, version.getLong(version.position()));
  }

  void fail(Throwable error) {
    Outcome outcome = kind == Kind.WRITE ? Outcomes.ofWrite(error) : Outcomes.ofRead(error);
    errors.note(kind, outcome, error);
    end(outcome, Session.NO_VERSION);
  }

  /** Frees the slot before the completion is told, since that may start the next operation. */
  void end(Outcome outcome, long version) {
    Completion told = completion;
    completion = null;
    if (told != null) {
      told.complete(index, outcome, version);
    }
  }
}
