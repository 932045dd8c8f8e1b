package io.onbeat.local;

/** A PostgreSQL that answers: one that was started here, or one that the environment names. */
public sealed interface PostgresServer extends AutoCloseable permits LocalPostgres, GivenPostgres {
    String jdbcUrl(String database);

    String user();

    String password();

    int port();

    /** Stops in good order, without waiting for clients. */
    void stop();

    /** As if the machine had lost power, except that what was written to files is still there. */
    void kill();

    /** Starts again after a stop or kill, on the same port and data. */
    void restart();

    /** Stops what was started here and frees its folder; a given server is left alone. */
    @Override
    void close();

    /** Like {@link #close()}, but quick, since nobody needs the data any more. */
    void discard();
}
