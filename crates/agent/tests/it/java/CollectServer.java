import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.ExecutionDataWriter;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.runtime.RemoteControlReader;
import org.jacoco.core.runtime.RemoteControlWriter;

/** Waits for one agent, asks it once, and keeps what it sends until it ends. */
public class CollectServer {
    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            System.out.println(server.getLocalPort());
            try (Socket socket = server.accept()) {
                RemoteControlWriter writer = new RemoteControlWriter(socket.getOutputStream());
                RemoteControlReader reader = new RemoteControlReader(socket.getInputStream());
                writer.visitDumpCommand(true, true);
                save(reader, args[0]);
                System.out.println("asked");
                save(reader, args[1]);
                System.out.println("end " + reader.read());
            }
        }
    }

    static void save(RemoteControlReader reader, String file) throws IOException {
        SessionInfoStore sessions = new SessionInfoStore();
        ExecutionDataStore data = new ExecutionDataStore();
        reader.setSessionInfoVisitor(sessions);
        reader.setExecutionDataVisitor(data);
        reader.read();
        try (OutputStream out = new FileOutputStream(file)) {
            ExecutionDataWriter writer = new ExecutionDataWriter(out);
            sessions.accept(writer);
            data.accept(writer);
        }
    }
}
