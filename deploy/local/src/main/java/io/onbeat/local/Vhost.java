package io.onbeat.local;

/** A virtual host of its own; the URL has user, password and the virtual host in it. */
public record Vhost(String amqpUrl, String name) {}
