package io.onbeat.worker.execute;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;

/** A connection whose transaction only its owner ends: work that commits by itself would escape the fence. */
final class GuardedConnection {
    private static final Set<String> FORBIDDEN = Set.of("commit", "setAutoCommit", "abort");

    private GuardedConnection() {}

    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    boolean wholeRollback = method.getName().equals("rollback") && args == null;
                    if (wholeRollback || FORBIDDEN.contains(method.getName())) {
                        throw new IllegalStateException(method.getName()
                                + " is not for the work of a transaction: return to commit, throw to roll back");
                    }
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
