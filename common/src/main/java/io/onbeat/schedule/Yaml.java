package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
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
                // the builder does not start from the parser's own defaults
                .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
                // "no" is a country and "on" a word before they are booleans
                .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(100).build())
                .build();
    }

    static JsonParser parser(Reader text) throws IOException {
        return FACTORY.createParser(text);
    }

    static MalformedFile malformed(IOException failure) {
        if (notText(failure)) {
            return new MalformedFile(0, 0, "is not UTF-8 text: save it as UTF-8");
        }
        if (failure.getCause() instanceof MarkedYAMLException yaml) {
            int line = yaml.getProblemMark() == null ? 1 : yaml.getProblemMark().getLine() + 1;
            int column =
                    yaml.getProblemMark() == null ? 1 : yaml.getProblemMark().getColumn() + 1;
            return new MalformedFile(line, column, "is not valid YAML: " + explain(yaml));
        }
        if (failure instanceof JsonProcessingException json) {
            int line = json.getLocation() == null ? 1 : json.getLocation().getLineNr();
            int column = json.getLocation() == null ? 1 : json.getLocation().getColumnNr();
            return new MalformedFile(line, column, "is not valid YAML: " + Quoted.oneLine(json.getOriginalMessage()));
        }
        return new MalformedFile(0, 0, "cannot be read: " + failure.getMessage());
    }

    private static boolean notText(Throwable failure) {
        return failure instanceof CharacterCodingException || failure.getCause() != null && notText(failure.getCause());
    }

    private static String explain(MarkedYAMLException failure) {
        String problem = failure.getProblem();
        String context = Optional.ofNullable(failure.getContext())
                .map(text -> text + ", ")
                .orElse("");
        boolean unquoted = context.contains("alias") || problem.contains("'@'") || problem.contains("'%'");
        return Quoted.oneLine(context + problem)
                + (unquoted ? "; put text that starts with '*', '@' or '%' in quotes" : "");
    }
}
