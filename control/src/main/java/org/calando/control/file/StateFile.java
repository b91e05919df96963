package org.calando.control.file;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;

/**
 * The state of a cluster on disk: a record, written by the names of its components with a checksum,
 * as nodes are set by what it says; read and replaced as a whole. Immutable and thread safe.
 */
public final class StateFile<T extends Record> {
  private static final int VERSION = 2;
  private static final String KEY = "version";
  private static final String CHECK = "crc";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          // What is not there is not taken for nothing.
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .visibility(PropertyAccessor.ALL, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .build();

  private final T initial;
  private final String what;
  private final String remedy;

  /**
   * Files of a kind of state.
   *
   * @param initial the state where there is no file
   * @param what what it is, as {@code state of racks}
   * @param remedy what to do if it is damaged
   */
  public StateFile(T initial, String what, String remedy) {
    this.initial = initial;
    this.what = what;
    this.remedy = remedy;
  }

  /**
   * Reads it.
   *
   * @throws BadRequestException if it was changed since it was written
   * @throws FailedWorkException if it cannot be read, or has another format
   */
  @SuppressWarnings("unchecked") // the class of a T
  public T read(Path file) {
    if (!Files.exists(file)) {
      return initial;
    }
    try {
      JsonNode json = JSON.readTree(Files.readString(file));
      if (!(json instanceof ObjectNode state) || state.path(KEY).asInt() != VERSION) {
        throw new FailedWorkException(
            "is no " + what + " in version " + VERSION,
            file.toString(),
            "use the version of Calando that wrote it");
      }
      requireWhole(state, file);
      state.remove(KEY);
      return (T) JSON.treeToValue(state, initial.getClass());
    } catch (JsonProcessingException e) {
      throw new FailedWorkException(
          "is no " + what + ": " + e.getOriginalMessage(), file.toString(), remedy, e);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + AtomicFiles.reason(e), file.toString(), remedy, e);
    }
  }

  /** Takes the checksum off. */
  private void requireWhole(ObjectNode state, Path file) {
    JsonNode check = state.path(CHECK);
    state.remove(CHECK);
    String found = LineChecksum.of(state.toString());
    if (!check.asText().equals(found)) {
      throw new BadRequestException(
          "was changed since it was written: its checksum is %s and that of its text is %s"
              .formatted(check.isMissingNode() ? "not there" : check.asText(), found),
          file.toString(),
          remedy);
    }
  }

  /**
   * Replaces it; it is on the disk on return.
   *
   * @throws FailedWorkException if it cannot be written
   */
  public void write(T state, Path file) {
    ObjectNode json = JSON.createObjectNode().put(KEY, VERSION);
    json.setAll(JSON.<ObjectNode>valueToTree(state));
    json.put(CHECK, LineChecksum.of(json.toString()));
    AtomicFiles.write(file, json.toPrettyString() + "\n");
  }
}
