package io.onbeat.examples;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * One report of a day's orders, from its beginning to the fire time: a row and a file. The row's key (day) keeps it single,
 * and the file is written from the row, so that writing it again changes nothing.
 */
public final class DailyReport implements Task {
    private static final String CREATE = """
            insert into demo.daily_report (day, orders, cents, reviewed, run_key)
            select ?, count(*), coalesce(sum(cents), 0), count(*) filter (where status = 'reviewed'), ?
            from demo.orders where placed_at >= ? and placed_at < ?
            on conflict (day) do nothing""";

    private static final String READ = "select orders, cents, reviewed, run_key from demo.daily_report where day = ?";

    /**
     * @param folder where the files go; the system's folder for temporary files has {@code onbeat-reports} by default
     * @param zone whose days are meant
     */
    record Args(String folder, String zone) {
        Args {
            folder = folder == null
                    ? Path.of(System.getProperty("java.io.tmpdir"), "onbeat-reports")
                            .toString()
                    : folder;
            zone = zone == null ? "UTC" : zone;
            try {
                ZoneId.of(zone);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("zone must be a time zone such as Asia/Shanghai, not " + zone, e);
            }
        }
    }

    record Report(LocalDate day, long orders, long cents, long reviewed, String runKey) {}

    record Written(String day, String file, boolean created, long orders, long cents) {}

    @Override
    public String name() {
        return "daily-report";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Args args = context.args(Args.class);
        ZoneId zone = ZoneId.of(args.zone());
        LocalDate day = context.fireTime().atZone(zone).toLocalDate();
        DemoData.ensure(context.dataSource("ledger"));
        return context.transaction(connection -> {
            boolean created = create(connection, context, day, zone);
            Report report = read(connection, day);
            // Before the commit: a crash in between leaves a file that the next attempt writes anew, never a row
            // without one.
            Path file = write(report, Path.of(args.folder()));
            return new Written(day.toString(), file.toString(), created, report.orders(), report.cents());
        });
    }

    private static boolean create(Connection connection, TaskContext context, LocalDate day, ZoneId zone)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CREATE)) {
            statement.setObject(1, day);
            statement.setString(2, context.runKey());
            statement.setObject(3, day.atStartOfDay(zone).toOffsetDateTime());
            statement.setObject(4, OffsetDateTime.ofInstant(context.fireTime(), ZoneOffset.UTC));
            return statement.executeUpdate() == 1;
        }
    }

    private static Report read(Connection connection, LocalDate day) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setObject(1, day);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return new Report(day, result.getLong(1), result.getLong(2), result.getLong(3), result.getString(4));
            }
        }
    }

    private static Path write(Report report, Path folder) throws IOException {
        String text = "day,orders,cents,reviewed,run\n"
                + String.join(
                        ",",
                        report.day().toString(),
                        Long.toString(report.orders()),
                        Long.toString(report.cents()),
                        Long.toString(report.reviewed()),
                        report.runKey())
                + "\n";
        return WholeFile.write(folder.resolve("daily-report-" + report.day() + ".csv"), text);
    }
}
