package org.calando.local;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategy;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.local.relay.LinkDelays;

/**
 * Configurations in and out of state files of local clusters: the fields of a configuration, and
 * those of the same names of its builder. Times are in nanoseconds, as their keys say. Stateless.
 */
public final class ConfigJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .visibility(PropertyAccessor.ALL, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .propertyNamingStrategy(new Names())
          .addMixIn(Duration.class, InNanos.class)
          .addModule(
              new SimpleModule()
                  .addSerializer(Path.class, ToStringSerializer.instance)
                  .addDeserializer(Path.class, new PathReader()))
          .build();

  private ConfigJson() {}

  /** All that a configuration has but its state folder. */
  public static ObjectNode write(LocalConfig config) {
    return JSON.valueToTree(config);
  }

  /** The same with the ports that were chosen. */
  public static ObjectNode write(ServersConfig config, List<Integer> ports) {
    return write(config).set("ports", JSON.valueToTree(ports));
  }

  /**
   * Takes back what {@link #write} wrote.
   *
   * @param stateFolder that of the cluster, unless it is temporary
   * @param builder to which it is given
   * @return the builder
   * @throws BadRequestException if it has been changed
   */
  public static <B extends LocalConfig.Builder<B>> B read(
      JsonNode root, Optional<Path> stateFolder, B builder) {
    try {
      B read = JSON.readerForUpdating(builder).readValue(root);
      stateFolder.ifPresent(read::stateFolder);
      return read;
    } catch (IOException e) {
      throw new BadRequestException(
          "the state of the cluster cannot be read: " + e.getMessage(),
          stateFolder.map(Path::toString).orElse("local"),
          "end the cluster's processes, and remove the folder");
    }
  }

  /** The ports that were chosen. */
  public static List<Integer> ports(JsonNode root) {
    List<Integer> ports = new ArrayList<>();
    root.path("ports").forEach(port -> ports.add(port.asInt()));
    return ports;
  }

  private static final class Names extends PropertyNamingStrategy {
    private static final long serialVersionUID = 1;

    @Override
    public String nameForField(MapperConfig<?> config, AnnotatedField field, String name) {
      Class<?> type = field.getRawType();
      return type == Duration.class || type == LinkDelays.class ? name + "Nanos" : name;
    }
  }

  /** What Jackson asks a duration for, and makes it of. */
  @JsonAutoDetect(getterVisibility = Visibility.NONE, isGetterVisibility = Visibility.NONE)
  private interface InNanos {
    @JsonValue
    long toNanos();

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Duration ofNanos(long nanos) {
      return Duration.ofNanos(nanos);
    }
  }

  private static final class PathReader extends FromStringDeserializer<Path> {
    private static final long serialVersionUID = 1;

    PathReader() {
      super(Path.class);
    }

    @Override
    protected Path _deserialize(String value, DeserializationContext context) {
      return Path.of(value);
    }
  }
}
