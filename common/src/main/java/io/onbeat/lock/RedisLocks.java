package io.onbeat.lock;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Locks in a Redis, for a team that has one. Time is the server's. The promise is as good as that server's memory: one that
 * comes back without its last second, or fails over to a replica that lacks it, has forgotten who holds what and which token
 * was the last.
 */
public final class RedisLocks implements LockStore {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    // the braces keep both keys of a name on one node of a cluster
    private static final String LOCK = "lock:{%s}";
    private static final String TOKEN = "lock-token:{%s}";

    // value: holder token owner. KEYS: lock, token. ARGV: holder, owner, time to live in ms. Answers {token} or {0,
    // owner}.
    private static final String ACQUIRE = """
            local held = redis.call('get', KEYS[1])
            if held then
              local holder, token, owner = string.match(held, '^(%S+) (%d+) (.*)$')
              if holder ~= ARGV[1] then return {0, owner} end
              redis.call('pexpire', KEYS[1], ARGV[3])
              return {tonumber(token)}
            end
            local token = redis.call('incr', KEYS[2])
            redis.call('set', KEYS[1], ARGV[1] .. ' ' .. string.format('%d', token) .. ' ' .. ARGV[2], 'PX', ARGV[3])
            return {token}""";

    // KEYS: lock. ARGV: holder, time to live in ms.
    private static final String RENEW = """
            local held = redis.call('get', KEYS[1])
            if held and string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then
              return redis.call('pexpire', KEYS[1], ARGV[2])
            end
            return 0""";

    private static final String RELEASE = """
            local held = redis.call('get', KEYS[1])
            if held and string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then
              return redis.call('del', KEYS[1])
            end
            return 0""";

    private final RedisClient client;
    private final String prefix;
    private Optional<StatefulRedisConnection<String, String>> connection = Optional.empty();

    /** Connects when first used. */
    public RedisLocks(LockSettings.Redis settings, String namespace) {
        RedisURI uri = RedisURI.create(settings.url());
        uri.setTimeout(ANSWER_WITHIN);
        settings.password().ifPresent(password -> uri.setCredentialsProvider(credentials(settings.url(), password)));
        client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                // a command that cannot be sent now must fail, not wait to be sent when the lock is long gone
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(ANSWER_WITHIN)
                        .keepAlive(true)
                        .build())
                .build());
        prefix = namespace + ":";
    }

    @Override
    public Answer acquire(String name, UUID holder, String owner, Duration timeToLive) throws IOException {
        List<Object> answer = ask(
                ACQUIRE,
                ScriptOutputType.MULTI,
                new String[] {key(LOCK, name), key(TOKEN, name)},
                holder.toString(),
                owner,
                Long.toString(timeToLive.toMillis()));
        long token = (Long) answer.get(0);
        return token > 0 ? new Answer.Acquired(token) : new Answer.Busy(String.valueOf(answer.get(1)));
    }

    @Override
    public boolean renew(String name, UUID holder, Duration timeToLive) throws IOException {
        long renewed = ask(
                RENEW,
                ScriptOutputType.INTEGER,
                new String[] {key(LOCK, name)},
                holder.toString(),
                Long.toString(timeToLive.toMillis()));
        return renewed == 1;
    }

    @Override
    public void release(String name, UUID holder) throws IOException {
        Object released = ask(RELEASE, ScriptOutputType.INTEGER, new String[] {key(LOCK, name)}, holder.toString());
        assert released != null;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private static RedisCredentialsProvider credentials(String url, String password) {
        String user = URI.create(url).getUserInfo();
        return RedisCredentialsProvider.from(() -> RedisCredentials.just(user, password));
    }

    private String key(String form, String name) {
        return prefix + String.format(Locale.ROOT, form, name);
    }

    private <T> T ask(String script, ScriptOutputType type, String[] keys, String... values) throws IOException {
        try {
            return connected().sync().eval(script, type, keys, values);
        } catch (RedisException failed) {
            throw new IOException("the Redis of the locks does not answer: " + rootMessage(failed), failed);
        }
    }

    private synchronized StatefulRedisConnection<String, String> connected() {
        if (connection.isEmpty()) {
            connection = Optional.of(client.connect());
        }
        return connection.get();
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
