package io.onbeat.schedule;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The valid word that a wrong one was probably meant to be. */
public final class Nearest {
    private Nearest() {}

    /** The closest candidate in edit distance, where it is close enough to be a slip of the pen. */
    public static Optional<String> to(String word, Collection<String> candidates) {
        String wrong = word.toLowerCase(Locale.ROOT);
        int limit = Math.max(2, Math.min(wrong.length(), 30) / 3);
        return candidates.stream()
                .filter(candidate -> Math.abs(candidate.length() - wrong.length()) <= limit)
                .map(candidate -> new Match(candidate, distance(wrong, candidate.toLowerCase(Locale.ROOT))))
                .filter(match -> match.distance <= limit && match.distance < wrong.length())
                .min(Comparator.comparingInt(Match::distance).thenComparing(Match::word))
                .map(Match::word);
    }

    /** Ready to be put behind a message: {@code ; did you mean "task"?}, or nothing. */
    public static String hint(String word, Collection<String> candidates) {
        return to(word, candidates)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
    }

    private record Match(String word, int distance) {}

    /** Insertions, deletions, replacements and swaps of neighbours, each counted as one. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
