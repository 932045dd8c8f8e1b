package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Opens YAML text, and says in one line where it is none. */
final class Yaml {
    private static final YAMLFactory FACTORY = factory();

    private Yaml() {}

    private static YAMLFactory factory() {
        LoaderOptions options = new LoaderOptions();
        // a file of many schedules is long; what aliases make of a short one is bounded by the node reader
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(100).build())
                .build();
    }

    static JsonParser parser(Reader text) throws IOException {
        return FACTORY.createParser(text);
    }

    static MalformedFile malformed(IOException failure) {
        if (failure.getCause() instanceof MarkedYAMLException yaml) {
            int line = yaml.getProblemMark() == null ? 1 : yaml.getProblemMark().getLine() + 1;
            int column =
                    yaml.getProblemMark() == null ? 1 : yaml.getProblemMark().getColumn() + 1;
            return new MalformedFile(line, column, "is not valid YAML: " + Quoted.oneLine(explain(yaml)));
        }
        if (failure instanceof JsonProcessingException json) {
            int line = json.getLocation() == null ? 1 : json.getLocation().getLineNr();
            int column = json.getLocation() == null ? 1 : json.getLocation().getColumnNr();
            return new MalformedFile(line, column, "is not valid YAML: " + Quoted.oneLine(json.getOriginalMessage()));
        }
        return new MalformedFile(0, 0, "cannot be read: " + failure.getMessage());
    }

    private static String explain(MarkedYAMLException failure) {
        String problem = failure.getProblem();
        String context = Optional.ofNullable(failure.getContext())
                .map(text -> text + ", ")
                .orElse("");
        boolean unquoted = context.contains("alias") || problem.contains("'@'") || problem.contains("'%'");
        return context + problem + (unquoted ? "; put text that starts with '*', '@' or '%' in quotes" : "");
    }
}
