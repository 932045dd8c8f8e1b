package io.onbeat.verify.faults;

/** Faults of the network between one process and one server. */
final class NetworkFaults {
    private NetworkFaults() {}

    static Fault cut(TcpProxy proxy) {
        return Fault.of(proxy::refuse, proxy::pass);
    }

    static Fault stall(TcpProxy proxy) {
        return Fault.of(proxy::stall, proxy::pass);
    }

    static Fault slow(TcpProxy proxy) {
        return Fault.of(proxy::slow, proxy::pass);
    }
}
