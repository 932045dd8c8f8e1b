package io.onbeat.local;

/** A database of its own, with what a JDBC connection needs. */
public record Database(String jdbcUrl, String user, String password) {}
