package io.onbeat.schedule;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** YAML's merge key {@code <<}: the fields of other maps, where the map does not have its own. */
final class Merge {
    private final List<Node.Field> target;
    private final Set<String> present = new HashSet<>();

    Merge(List<Node.Field> target) {
        this.target = target;
        target.forEach(field -> present.add(field.key()));
    }

    void addAll(List<Node> sources) throws MalformedFile {
        for (Node source : sources) {
            if (source instanceof Node.Items items) {
                addAll(items.values());
            } else if (source instanceof Node.Fields fields) {
                fields.fields().stream()
                        .filter(field -> present.add(field.key()))
                        .forEach(target::add);
            } else {
                throw new MalformedFile(
                        source.line(), source.column(), "'<<' takes a map or a list of maps, such as <<: *common");
            }
        }
    }
}
