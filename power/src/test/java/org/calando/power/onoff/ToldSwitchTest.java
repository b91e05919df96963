package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldSwitchTest {
  @Test
  void theSwitchIsToldOfEachCall() throws Exception {
    List<String> calls = new ArrayList<>();
    PowerSwitch inner =
        (PowerSwitch)
            Proxy.newProxyInstance(
                PowerSwitch.class.getClassLoader(),
                new Class<?>[] {PowerSwitch.class},
                (proxy, method, arguments) -> {
                  calls.add(method.getName());
                  return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
                });
    PowerSwitch told =
        new ToldSwitch(inner, () -> calls.add("goes off"), () -> calls.add("came on"));
    told.begin();
    told.on();
    told.off();
    told.forceOff();
    assertThat(told.canForce()).isTrue();
    assertThat(calls)
        .containsExactly(
            "begin", "on", "came on", "goes off", "off", "goes off", "forceOff", "canForce");
  }

  @Test
  void anOrderThatIsInterruptedIsToldAllTheSame() {
    List<String> calls = new ArrayList<>();
    PowerSwitch inner =
        (PowerSwitch)
            Proxy.newProxyInstance(
                PowerSwitch.class.getClassLoader(),
                new Class<?>[] {PowerSwitch.class},
                (proxy, method, arguments) -> {
                  throw new InterruptedException();
                });
    PowerSwitch told = new ToldSwitch(inner, () -> {}, () -> calls.add("came on"));
    assertThatThrownBy(told::on).isInstanceOf(InterruptedException.class);
    assertThat(calls).containsExactly("came on");
  }
}
