package io.onbeat.verify.tasks;

import io.onbeat.task.RowCounts;
import io.onbeat.task.Rows;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.PreparedStatement;

/** Ships every parcel that waits; some refuse, and are tried again by the next attempt. */
public final class ShipParcels implements Task {
    @Override
    public String name() {
        return "ship-parcels";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Luck luck = new Luck(context);
        RowCounts counts = context.claimRows(
                Rows.of("verify.parcel", "waiting", "shipped").batch(5).maxFailures(1000), (connection, row) -> {
                    try (PreparedStatement ship =
                            connection.prepareStatement("insert into verify.shipment (parcel, grams) values (?, ?)")) {
                        ship.setObject(1, row.get("id"));
                        ship.setObject(2, row.get("grams"));
                        ship.executeUpdate();
                    }
                    Work.take(connection, luck.millis());
                    luck.tempt("parcel " + row.key());
                });
        if (counts.someToTryAgain()) {
            throw new IllegalStateException(counts.failed() + " parcels refused");
        }
        return counts;
    }
}
