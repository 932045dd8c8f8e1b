package io.onbeat.verify.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads what a test run left in its reports. */
final class Surefire {
    private static final int LONGEST = 200;
    private static final String CAUSE = "Caused by: ";

    private Surefire() {}

    /** The first test that failed, with what it says; empty where none did. */
    static Optional<String> firstFailure(Path reports) throws IOException {
        if (!Files.isDirectory(reports)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(reports)) {
            List<Path> results = files.filter(
                            file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList();
            for (Path result : results) {
                Optional<String> failure = firstFailureIn(parsed(result));
                if (failure.isPresent()) {
                    return failure;
                }
            }
            return Optional.empty();
        }
    }

    private static Optional<String> firstFailureIn(Document result) {
        NodeList cases = result.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            for (String kind : List.of("failure", "error")) {
                NodeList failures = test.getElementsByTagName(kind);
                if (failures.getLength() > 0) {
                    String name =
                            test.getAttribute("classname").replaceFirst(".*\\.", "") + "." + test.getAttribute("name");
                    return Optional.of(name + ": " + line((Element) failures.item(0)));
                }
            }
        }
        return Optional.empty();
    }

    private static String line(Element failure) {
        String text = failure.getAttribute("message").isBlank()
                ? rootCause(failure.getTextContent())
                : failure.getAttribute("message");
        String line =
                text.lines().map(String::strip).filter(each -> !each.isEmpty()).collect(Collectors.joining(" "));
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + " …";
    }

    private static String rootCause(String trace) {
        return trace.lines()
                .filter(line -> line.startsWith(CAUSE))
                .reduce((first, last) -> last)
                .or(() -> trace.lines().findFirst())
                .orElse("");
    }

    private static Document parsed(Path result) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(result.toFile());
        } catch (ParserConfigurationException | SAXException unreadable) {
            throw new IOException("cannot read " + result + ": " + unreadable.getMessage(), unreadable);
        }
    }
}
