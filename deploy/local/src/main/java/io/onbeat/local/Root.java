package io.onbeat.local;

import java.nio.file.Path;

/** The project's folder, and the hidden folder in it where everything that runs keeps its files. */
final class Root {
    private Root() {}

    static Path folder() {
        return Path.of(System.getProperty("onbeat.root", "")).toAbsolutePath().normalize();
    }

    static Path hidden(Path root) {
        return root.resolve(".onbeat");
    }

    /** Unpacked programs, shared by all that run from this folder. */
    static Path cache() {
        return hidden(folder()).resolve("cache");
    }
}
