package io.onbeat.verify.faults;

import io.onbeat.local.LocalRabbit;
import io.onbeat.verify.system.OwnServers;

/** Faults of the broker. */
final class BrokerFaults {
    // what rabbitmqctl takes where no configuration says otherwise
    private static final String USUAL_MEMORY = "0.4";

    private BrokerFaults() {}

    static Fault restart(OwnServers servers) {
        LocalRabbit rabbit = servers.rabbit();
        return Fault.of(rabbit::stop, rabbit::start);
    }

    static Fault crash(OwnServers servers) {
        LocalRabbit rabbit = servers.rabbit();
        return Fault.of(rabbit::kill, rabbit::start);
    }

    static Fault wipe(OwnServers servers) {
        LocalRabbit rabbit = servers.rabbit();
        return Fault.of(
                () -> {
                    rabbit.kill();
                    rabbit.wipe();
                },
                rabbit::start);
    }

    static Fault purge(Rig rig) {
        return Fault.once(() -> rig.taskQueues().forEach(rig::purge));
    }

    static Fault alarm(OwnServers servers) {
        LocalRabbit rabbit = servers.rabbit();
        return Fault.of(
                () -> rabbit.ctl("set_vm_memory_high_watermark", "0"),
                () -> rabbit.ctl("set_vm_memory_high_watermark", USUAL_MEMORY));
    }
}
