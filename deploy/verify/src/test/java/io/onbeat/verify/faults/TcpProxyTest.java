package io.onbeat.verify.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final int WHILE_NOTHING_COMES = 200;
    private static final int TO_COME = 10_000;

    private ServerSocket server;
    private TcpProxy proxy;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        proxy = new TcpProxy("test", server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void bytesPassBothWaysAndTheEndOfOneSideReachesTheOther() throws IOException {
        Socket client = connect();
        Socket peer = server.accept();
        client.getOutputStream().write(7);
        assertThat(peer.getInputStream().read()).isEqualTo(7);
        peer.getOutputStream().write(8);
        assertThat(client.getInputStream().read()).isEqualTo(8);
        peer.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aCutEndsConnectionsAndARefusalNewOnesToo() throws IOException {
        Socket client = connect();
        server.accept();
        proxy.refuse();
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        Socket refused = connect();
        assertThatThrownBy(() -> refused.getInputStream().read()).isInstanceOf(IOException.class);

        proxy.pass();
        Socket welcome = connect();
        welcome.getOutputStream().write(1);
        assertThat(server.accept().getInputStream().read()).isEqualTo(1);
    }

    @Test
    void whatAStallHoldsBackGoesOnAfterwards() throws IOException {
        Socket client = connect();
        Socket peer = server.accept();
        proxy.stall();
        client.getOutputStream().write(9);
        peer.setSoTimeout(WHILE_NOTHING_COMES);
        assertThatThrownBy(() -> peer.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.pass();
        peer.setSoTimeout(TO_COME);
        assertThat(peer.getInputStream().read()).isEqualTo(9);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(TO_COME);
        return socket;
    }
}
