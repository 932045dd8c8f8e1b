package io.onbeat.beat.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** One call of the command line in this process. */
record Cli(int code, String out, String err) {
    static Cli onbeat(String... args) {
        return in(Map.of(), args);
    }

    static Cli onbeat(List<String> args) {
        return onbeat(args.toArray(String[]::new));
    }

    /** With these settings. */
    static Cli in(Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = OnbeatCli.run(environment, new PrintWriter(out), new PrintWriter(err), args);
        return new Cli(code, out.toString(), err.toString());
    }

    List<String> lines() {
        return out.lines().toList();
    }
}
