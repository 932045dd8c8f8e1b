package io.onbeat.local;

import java.nio.file.Path;

/** Another living process works on this folder. */
public final class FolderInUse extends ServiceFailure {
    private static final long serialVersionUID = 1;

    private final String owner;

    FolderInUse(Path folder, String owner) {
        super(folder + " is in use by " + owner + ": stop that one first, or choose another folder");
        this.owner = owner;
    }

    String owner() {
        return owner;
    }
}
