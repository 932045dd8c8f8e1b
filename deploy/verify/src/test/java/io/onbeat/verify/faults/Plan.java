package io.onbeat.verify.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * All faults of one test, known before it starts: the same seed gives the same plan. Each lane has one fault at a time, so
 * there are never more at once than lanes.
 */
record Plan(List<List<Strike>> lanes) {
    private static final int LANES = 2;
    private static final int LONGEST_PAUSE = 4_000;
    private static final int WARM_UP = 2_000;

    static Plan of(long seed, Duration length, Set<Kind> kinds) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Strike>> lanes = Stream.generate(() -> (List<Strike>) new ArrayList<Strike>())
                .limit(LANES)
                .toList();
        long[] free = new long[LANES];
        List<Kind> deck = new ArrayList<>();
        while (true) {
            int lane = free[0] <= free[1] ? 0 : 1;
            long at = Math.max(WARM_UP, free[lane]) + random.nextInt(LONGEST_PAUSE);
            if (deck.isEmpty()) {
                deck.addAll(shuffled(kinds, random));
            }
            Kind kind = deck.remove(0);
            int lasts = kind.shortest() + random.nextInt(kind.longest() - kind.shortest() + 1);
            if (at + lasts > length.toMillis()) {
                return new Plan(lanes);
            }
            Optional<String> place = place(kind, at, lasts, lanes.get(1 - lane), random);
            if (place.isPresent()) {
                lanes.get(lane).add(new Strike(Duration.ofMillis(at), kind, place.get(), Duration.ofMillis(lasts)));
                free[lane] = at + lasts;
            } else {
                // its only place has a fault already: its turn comes when that is over
                deck.add(Math.min(1, deck.size()), kind);
                free[lane] = at + WARM_UP;
            }
        }
    }

    /** Every kind comes once before the next deck, and where it has many places, twice. */
    private static List<Kind> shuffled(Set<Kind> kinds, SplittableRandom random) {
        List<Kind> left = new ArrayList<>(kinds.stream()
                .sorted()
                .flatMap(kind -> Stream.of(kind, kind)
                        .limit(Math.min(2, kind.place().names().size())))
                .toList());
        List<Kind> deck = new ArrayList<>();
        while (!left.isEmpty()) {
            deck.add(left.remove(random.nextInt(left.size())));
        }
        return deck;
    }

    private static Optional<String> place(Kind kind, long at, int lasts, List<Strike> others, SplittableRandom random) {
        List<String> free = kind.place().names().stream()
                .filter(name -> others.stream()
                        .noneMatch(other -> other.place().equals(name)
                                && other.at().toMillis() <= at + lasts
                                && other.at().plus(other.lasts()).toMillis() >= at))
                .toList();
        return free.isEmpty() ? Optional.empty() : Optional.of(free.get(random.nextInt(free.size())));
    }

    List<Strike> inOrder() {
        return lanes.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Strike::at))
                .toList();
    }
}
