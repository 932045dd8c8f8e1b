package io.onbeat.verify.bench;

import io.onbeat.message.MessageCodec;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.message.MessageCodec.Received;
import io.onbeat.message.TaskMessage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A task message as the throughput benchmark sends it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageMicro {
    private final TaskMessage message = ExampleMessage.of();
    private final Encoded encoded = MessageCodec.encode(message);

    @Benchmark
    public Encoded encode() {
        return MessageCodec.encode(message);
    }

    @Benchmark
    public Received decode() {
        return MessageCodec.decode(encoded.properties(), encoded.body(), "default");
    }
}
