package io.onbeat.verify.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The peers that take turns with Onbeat. One that cannot be had, or fails, is left out from there on, and told of. */
final class Peers implements AutoCloseable {
    private final Progress progress;
    private final Map<Peer, PeerProcess> processes = new EnumMap<>(Peer.class);
    private final Map<Peer, List<PeerProcess.Round>> rounds = new EnumMap<>(Peer.class);
    private final List<String> leftOut = new ArrayList<>();

    private Peers(Progress progress) {
        this.progress = progress;
    }

    static Peers none(Progress progress) {
        return new Peers(progress);
    }

    static Peers start(BenchServers servers, int runs, Progress progress) {
        servers.createPeerDatabase();
        Peers peers = new Peers(progress);
        for (Peer peer : Peer.values()) {
            try {
                peers.processes.put(peer, peer.start(servers, runs));
            } catch (RuntimeException failed) {
                peers.leaveOut(peer, failed);
            }
        }
        return peers;
    }

    /** @param measured false for the turn that warms up */
    void turn(String label, boolean measured) {
        for (Peer peer : List.copyOf(processes.keySet())) {
            try {
                PeerProcess.Round round = processes.get(peer).round();
                progress.say(String.format(Locale.ROOT, "%s: %s %,.0f jobs/s", label, peer.title, round.perSecond()));
                if (measured) {
                    rounds.computeIfAbsent(peer, none -> new ArrayList<>()).add(round);
                }
            } catch (BenchFailure failed) {
                leaveOut(peer, failed);
            }
        }
    }

    /** Of the peers that had a figure in every round. */
    List<PeerFigure> figures() {
        return rounds.entrySet().stream()
                .map(each -> new PeerFigure(
                        each.getKey().title,
                        each.getValue().stream()
                                .map(PeerProcess.Round::perSecond)
                                .toList(),
                        each.getValue().get(0).version()))
                .toList();
    }

    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    @Override
    public void close() {
        processes.values().forEach(PeerProcess::close);
    }

    private void leaveOut(Peer peer, RuntimeException why) {
        rounds.remove(peer);
        PeerProcess process = processes.remove(peer);
        if (process != null) {
            process.close();
        }
        String remark = "left out: " + peer.title + ", since " + why.getMessage();
        leftOut.add(remark);
        progress.say(remark);
    }
}
