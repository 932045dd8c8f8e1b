package io.onbeat.lock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onbeat.local.TestServices;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RedisLocksTest extends LockContract {

    @Override
    LockStore open() {
        return open(TestServices.redis().url(), TestServices.redis().password());
    }

    private static LockStore open(String url, String password) {
        return new RedisLocks(new LockSettings.Redis(url, Optional.of(password)), "onbeat");
    }

    @Test
    void aServerThatRefusesOrIsNotThereIsToldInOneLine() {
        try (LockStore wrong = open(TestServices.redis().url(), "wrong");
                LockStore nowhere = open("redis://127.0.0.1:1/0", "any")) {
            assertThatThrownBy(() -> wrong.acquire("a", UUID.randomUUID(), "me", Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the Redis of the locks does not answer: ")
                    .hasMessageContaining("WRONGPASS");
            assertThatThrownBy(() -> nowhere.acquire("a", UUID.randomUUID(), "me", Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("refused");
        }
    }
}
