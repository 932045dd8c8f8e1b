package io.onbeat.schedule;

import java.util.List;

/** What people say about a schedule; nothing depends on it. Texts are empty when absent. */
public record About(String description, String owner, List<String> tags) {
    public About {
        tags = List.copyOf(tags);
    }
}
