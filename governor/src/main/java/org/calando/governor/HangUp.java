package org.calando.governor;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/*
 * The JDK offers signals in jdk.unsupported alone, of whose classes the compiler warns; so they are reached by name.
 */
/** Hears SIGHUP, which services take for an order to read their files again. Stateless. */
public final class HangUp {
  private HangUp() {}

  /**
   * Has an action run on each SIGHUP from now on, on a thread of the signal's, in place of what was
   * done before; on a system without it nothing happens.
   */
  public static void on(Runnable action) {
    try {
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Class<?> signal = Class.forName("sun.misc.Signal");
      Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
      Object own =
          Proxy.newProxyInstance(
              HangUp.class.getClassLoader(), new Class<?>[] {handler}, handler(action));
      var unused = signal.getMethod("handle", signal, handler).invoke(null, hangUp, own);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // Such a system ends and starts the service to have the file read again.
    }
  }

  private static InvocationHandler handler(Runnable action) {
    return (proxy, method, arguments) ->
        switch (method.getName()) {
          case "handle" -> {
            action.run();
            yield null;
          }
          case "equals" -> proxy == arguments[0];
          case "hashCode" -> System.identityHashCode(proxy);
          default -> "SIGHUP";
        };
  }
}
