package io.onbeat.local;

import java.lang.reflect.Proxy;

/**
 * Ctrl-C, SIGTERM and a closed terminal, the second one too. A shutdown hook would see only the first, and could not choose the exit code. By
 * reflection, since the compiler warns of the class in a way that cannot be silenced.
 */
final class Signals {
    private Signals() {}

    static void each(Runnable action) {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object proxy = Proxy.newProxyInstance(
                        Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                            if (method.getName().equals("handle")) {
                                action.run();
                                return null;
                            }
                            return method.getName().equals("equals") ? self == arguments[0] : 0;
                        });
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            } catch (ReflectiveOperationException notHere) {
                Runtime.getRuntime().addShutdownHook(new Thread(action));
            }
        }
    }
}
