package io.onbeat.verify.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Every kind of fault: what it is, where it strikes, how long it lasts, in milliseconds. */
enum Kind {
    KILL("kill -9", Place.PROCESS, 0, 4_000, (rig, at) -> ProcessFaults.kill(rig.slot(at))),
    FREEZE(
            "SIGSTOP, and SIGCONT beyond the lease",
            Place.PROCESS,
            4_000,
            9_000,
            (rig, at) -> ProcessFaults.freeze(rig.slot(at))),
    TERM("SIGTERM", Place.PROCESS, 0, 2_000, (rig, at) -> ProcessFaults.stop(rig.slot(at))),
    CLOCK_FORTH(
            "its wall clock goes an hour forth, and back again",
            Place.PROCESS,
            2_000,
            8_000,
            (rig, at) -> ProcessFaults.step(rig.slot(at), Duration.ofHours(1))),
    CLOCK_BACK(
            "its wall clock goes an hour back, and forth again",
            Place.PROCESS,
            2_000,
            8_000,
            (rig, at) -> ProcessFaults.step(rig.slot(at), Duration.ofHours(-1))),
    CUT(
            "its connections end, new ones are refused",
            Place.LINK,
            0,
            5_000,
            (rig, at) -> NetworkFaults.cut(rig.proxy(at))),
    STALL(
            "its connections stay, nothing passes",
            Place.LINK,
            2_000,
            9_000,
            (rig, at) -> NetworkFaults.stall(rig.proxy(at))),
    SLOW("everything passes late", Place.LINK, 4_000, 10_000, (rig, at) -> NetworkFaults.slow(rig.proxy(at))),
    BROKER_RESTART("stopped in good order", Place.BROKER, 0, 3_000, (rig, at) -> BrokerFaults.restart(rig.servers())),
    BROKER_CRASH("killed", Place.BROKER, 0, 3_000, (rig, at) -> BrokerFaults.crash(rig.servers())),
    BROKER_WIPE("killed, and its data deleted", Place.BROKER, 0, 1_000, (rig, at) -> BrokerFaults.wipe(rig.servers())),
    PURGE("the messages of a task queue are purged", Place.BROKER, 0, 0, (rig, at) -> BrokerFaults.purge(rig)),
    ALARM(
            "no memory left: publishers are blocked",
            Place.BROKER,
            3_000,
            8_000,
            (rig, at) -> BrokerFaults.alarm(rig.servers())),
    DATABASE_RESTART("stopped fast", Place.DATABASE, 0, 3_000, (rig, at) -> DatabaseFaults.restart(rig.servers())),
    DATABASE_CRASH("killed", Place.DATABASE, 0, 3_000, (rig, at) -> DatabaseFaults.crash(rig.servers())),
    LOCK_LEADER(
            "a lock on the leader's row",
            Place.DATABASE,
            2_000,
            6_000,
            (rig, at) -> DatabaseFaults.lock(rig.servers(), "select from onbeat.leader for update")),
    LOCK_SCHEDULES(
            "a lock on the rows of all schedules",
            Place.DATABASE,
            2_000,
            6_000,
            (rig, at) -> DatabaseFaults.lock(rig.servers(), "select from onbeat.schedule order by id for update")),
    LOCK_RUNS(
            "a lock on the rows of open runs",
            Place.DATABASE,
            2_000,
            6_000,
            (rig, at) ->
                    DatabaseFaults.lock(rig.servers(), "select from onbeat.run where open order by id for update")),
    DUPLICATE(
            "messages arrive twice",
            Place.BROKER,
            3_000,
            6_000,
            (rig, at) -> new MessageFault(rig, MessageFault.Change.DUPLICATE)),
    REORDER(
            "messages arrive late, the last one first",
            Place.BROKER,
            3_000,
            6_000,
            (rig, at) -> new MessageFault(rig, MessageFault.Change.REORDER)),
    TRUNCATE(
            "only half of each message arrives",
            Place.BROKER,
            3_000,
            6_000,
            (rig, at) -> new MessageFault(rig, MessageFault.Change.TRUNCATE)),
    OLDER(
            "messages arrive as an older version wrote them",
            Place.BROKER,
            3_000,
            6_000,
            (rig, at) -> new MessageFault(rig, MessageFault.Change.OLDER));

    /** Where a kind strikes; two faults never have the same place at a time. */
    enum Place {
        PROCESS(Rig.SLOTS),
        LINK(Rig.SLOTS.stream()
                .flatMap(slot -> Stream.of(slot + ">database", slot + ">broker"))
                .toList()),
        BROKER(List.of("broker")),
        DATABASE(List.of("database"));

        private final List<String> names;

        Place(List<String> names) {
            this.names = names;
        }

        List<String> names() {
            return names;
        }
    }

    @FunctionalInterface
    interface Making {
        Fault make(Rig rig, String place);
    }

    private final String meaning;
    private final Place place;
    private final int shortest;
    private final int longest;
    private final Making making;

    Kind(String meaning, Place place, int shortest, int longest, Making making) {
        this.meaning = meaning;
        this.place = place;
        this.shortest = shortest;
        this.longest = longest;
        this.making = making;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Kind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    String meaning() {
        return meaning;
    }

    Place place() {
        return place;
    }

    int shortest() {
        return shortest;
    }

    int longest() {
        return longest;
    }

    Fault on(Rig rig, String where) {
        return making.make(rig, where);
    }
}
