package io.onbeat.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.onbeat.broker.Publisher;
import io.onbeat.ledger.Ledger;
import io.onbeat.lock.Locks;
import io.onbeat.task.Task;
import io.onbeat.task.builtin.CeleryTask;
import io.onbeat.worker.execute.DataSources;
import io.onbeat.worker.execute.Executions;
import io.onbeat.worker.execute.TaskKit;
import io.onbeat.worker.execute.TaskRegistry;
import io.onbeat.worker.publish.PublishLoop;
import io.onbeat.worker.publish.UnreadableMessages;
import io.onbeat.worker.report.Tally;
import io.onbeat.worker.report.WorkerReport;
import io.onbeat.worker.retry.PatientLedger;
import io.onbeat.worker.settle.Settler;
import java.time.Duration;
import java.util.List;

/** What a worker's queues share. */
record WorkerParts(
        Ledger database,
        PatientLedger ledger,
        Ledger renewalDatabase,
        PatientLedger renewals,
        Preparation preparation,
        TaskRegistry tasks,
        DataSources dataSources,
        TaskKit kit,
        CeleryTask celery,
        Executions executions,
        PublishLoop publishing,
        UnreadableMessages unreadable,
        Settler settler,
        Tally tally,
        WorkerReport report) {

    static WorkerParts of(WorkerSettings settings, List<Task> own, MeterRegistry meters) {
        CeleryTask celery = new CeleryTask(settings.servers().broker(), settings.id() + " celery");
        TaskRegistry tasks = TaskRegistry.load(settings.tasks(), List.of(celery), own);
        DataSources dataSources = new DataSources(
                settings.servers().ledger(),
                settings.tasks().dataSources(),
                settings.tasks().poolSize());
        Ledger database = Ledger.open(settings.servers().ledger());
        Duration longestPause = settings.leases().longestPause();
        PatientLedger ledger = new PatientLedger(database, longestPause);
        Ledger renewalDatabase =
                Ledger.openApart(settings.servers().ledger(), settings.leases().answerTimeout());
        Locks locks = new Locks(settings.tasks().locks().open(database));
        Executions executions = new Executions(settings.leases().length());
        PublishLoop publishing =
                new PublishLoop(new Publisher(settings.servers().broker(), settings.id() + " publishing"));
        Tally tally = new Tally(meters);
        return new WorkerParts(
                database,
                ledger,
                renewalDatabase,
                new PatientLedger(renewalDatabase, longestPause),
                new Preparation(database, settings.servers().ledger()),
                tasks,
                dataSources,
                new TaskKit(tasks, dataSources, database, ledger, locks, settings.id(), System::getenv),
                celery,
                executions,
                publishing,
                new UnreadableMessages(publishing),
                new Settler(ledger, executions, publishing, tally),
                tally,
                new WorkerReport(settings.id(), settings.queues(), tasks.names(), tally));
    }

    void close() {
        publishing.close();
        celery.close();
        kit.locks().close();
        dataSources.close();
        renewalDatabase.close();
        database.close();
    }
}
