package io.onbeat.beat.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** One call of the command line in this process. */
record Cli(int code, String out, String err) {
    static Cli onbeat(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = OnbeatCli.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Cli(code, out.toString(), err.toString());
    }

    static Cli onbeat(List<String> args) {
        return onbeat(args.toArray(String[]::new));
    }

    List<String> lines() {
        return out.lines().toList();
    }
}
