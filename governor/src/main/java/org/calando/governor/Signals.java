package org.calando.governor;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/*
 * The JDK offers signals in jdk.unsupported alone, of whose classes the compiler warns; so they are reached by name.
 */
/** Hears signals, such as HUP, on which services read their files again. Stateless. */
public final class Signals {
  private Signals() {}

  /**
   * Has an action run on each signal from now on, on a thread of the signal's, in place of what was
   * done before; nothing on a system without it, or where it is ignored.
   *
   * @param name such as {@code HUP}
   */
  public static void on(String name, Runnable action) {
    try {
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Class<?> signal = Class.forName("sun.misc.Signal");
      Object one = signal.getConstructor(String.class).newInstance(name);
      Object own =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(), new Class<?>[] {handler}, handler(name, action));
      var unused = signal.getMethod("handle", signal, handler).invoke(null, one, own);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // Such a system has other means.
    }
  }

  private static InvocationHandler handler(String name, Runnable action) {
    return (proxy, method, arguments) ->
        switch (method.getName()) {
          case "handle" -> {
            action.run();
            yield null;
          }
          case "equals" -> proxy == arguments[0];
          case "hashCode" -> System.identityHashCode(proxy);
          default -> "SIG" + name;
        };
  }
}
