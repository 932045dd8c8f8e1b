package io.onbeat.task.builtin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.MDC;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Keeps what was logged, with the log context of the thread that logged it. */
final class RecordingLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    record Line(String text, Map<String, String> context) {}

    private final transient List<Line> lines = new CopyOnWriteArrayList<>();

    List<Line> lines() {
        return lines;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String message, Object[] arguments, Throwable throwable) {
        lines.add(new Line(
                MessageFormatter.basicArrayFormat(message, arguments),
                Optional.ofNullable(MDC.getCopyOfContextMap()).orElse(Map.of())));
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return RecordingLogger.class.getName();
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
