package io.onbeat.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The stages of a Dockerfile by name; each goes on from the stage that it is FROM. */
record Dockerfile(Map<String, Stage> stages) {

    record Stage(String from, List<String> instructions) {}

    static Dockerfile read(Path file) throws IOException {
        Map<String, Stage> stages = new HashMap<>();
        List<String> instructions = new ArrayList<>();
        String joined = Files.readString(file).replace("\\\n", " ");
        for (String line : joined.lines().toList()) {
            String[] words = line.strip().split("\\s+");
            if (words[0].equals("FROM")) {
                instructions = new ArrayList<>();
                stages.put(words[3], new Stage(words[1], instructions));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                instructions.add(String.join(" ", words));
            }
        }
        return new Dockerfile(stages);
    }

    /** The instructions of a target, those of the stages beneath it first. */
    List<String> of(String target) {
        Stage stage = stages.get(target);
        if (stage == null) {
            return List.of();
        }
        List<String> all = new ArrayList<>(of(stage.from()));
        all.addAll(stage.instructions());
        return all;
    }

    Map<String, String> environment(String target) {
        Map<String, String> environment = new TreeMap<>();
        for (String instruction : of(target)) {
            if (instruction.startsWith("ENV ")) {
                for (String pair : instruction.substring("ENV ".length()).split(" ")) {
                    String[] nameAndValue = pair.split("=", 2);
                    environment.put(nameAndValue[0], nameAndValue[1]);
                }
            }
        }
        return environment;
    }
}
