package org.calando.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import java.lang.reflect.Proxy;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class AdaptiveSessionBuilderTest {
  @Test
  void aSessionThatIsClosedOrNoneIsRefused() {
    CqlSession closed =
        (CqlSession)
            Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, args) -> method.getName().equals("isClosed"));
    assertThatThrownBy(() -> AdaptiveSession.wrap(closed).tolerate("shop.orders", 0.05).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("the driver's session is closed")
        .hasMessageContaining("wrap one that is open");
    assertThatThrownBy(() -> AdaptiveSession.wrap(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("session");
  }
}
