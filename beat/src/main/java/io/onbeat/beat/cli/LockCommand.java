package io.onbeat.beat.cli;

import io.onbeat.config.Settings;
import io.onbeat.lock.HeldLock;
import io.onbeat.lock.LockSettings;
import io.onbeat.lock.Locks;
import io.onbeat.lock.Locks.Acquisition;
import io.onbeat.schedule.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "lock",
        description = {
            "Run COMMAND only while the lock NAME is held: the same lock as a task's, so cron jobs, other timers and runs"
                    + " keep out of each other's way.",
            "It is a lease, renewed while COMMAND runs. When it is lost (the ledger was away for longer than that, this"
                    + " machine stood still) COMMAND is ended. ONBEAT_LOCK_TOKEN grows with every holder: a receiver can"
                    + " refuse a smaller one than it has seen."
        },
        exitCodeList = {
            "1:the locks cannot be asked, or the lock was lost and COMMAND was ended",
            "2:asked wrongly: a wrong word, value or setting",
            "75:it is another's, and COMMAND was not run",
            "others:COMMAND's own"
        },
        footer = {
            "",
            "Examples:",
            "  onbeat lock stock-sync -- ./sync-stock.sh",
            "  onbeat lock stock-sync --wait 10m -- python3 sync.py"
        })
final class LockCommand extends HelpedCommand implements Callable<Integer> {
    private static final int BUSY = 75;
    private static final String RUN_KEY = "ONBEAT_RUN_KEY";

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "0s",
            description = "How long to wait for it where it is another's; asked once by default.")
    private String wait;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How soon it is free when its holder has died (30s); it may be shorter than COMMAND.")
    private String timeToLive;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The program and its arguments, behind --.")
    private List<String> command;

    @Override
    public Integer call() throws Exception {
        Duration patience = CliCommand.value("--wait", wait, Durations::parse);
        Duration length = CliCommand.value("--ttl", timeToLive, Durations::parse);
        Map<String, String> environment = OnbeatCli.environment(spec);
        String who = Optional.ofNullable(environment.get(RUN_KEY)).orElseGet(LedgerCommand::actor);
        return AtLedger.ask(environment, (ledger, servers) -> {
            try (Locks locks = new Locks(settings(environment).open(ledger))) {
                return locked(locks, who, length, patience);
            }
        });
    }

    private static LockSettings settings(Map<String, String> environment) {
        Settings source = Settings.of(environment);
        LockSettings settings = LockSettings.read(source);
        source.check();
        return settings;
    }

    private int locked(Locks locks, String who, Duration length, Duration patience)
            throws IOException, InterruptedException {
        try (ForegroundCommand work =
                new ForegroundCommand(command, Map.of(), spec.commandLine().getOut())) {
            Acquisition answer = acquire(locks, who, length, patience, work);
            if (answer instanceof Acquisition.Busy busy) {
                spec.commandLine().getErr().println("onbeat: " + Printable.line(name + " is held by " + busy.owner()));
                return BUSY;
            }
            return run(work, ((Acquisition.Held) answer).lock());
        }
    }

    private int run(ForegroundCommand work, HeldLock lock) throws IOException, InterruptedException {
        try (lock) {
            work.tell(Map.of("ONBEAT_LOCK", name, "ONBEAT_LOCK_TOKEN", Long.toString(lock.token())));
            int exit = work.run();
            if (!lock.isHeld()) {
                throw new Failed("the lock " + name + " was lost, and the command was ended: another may hold it");
            }
            return exit;
        }
    }

    private Acquisition acquire(Locks locks, String who, Duration length, Duration patience, ForegroundCommand work)
            throws InterruptedException {
        try {
            return locks.acquire(name, who, length, patience, work::end);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(wrong.getMessage());
        } catch (IOException away) {
            throw new Failed(away.getMessage(), away);
        }
    }
}
