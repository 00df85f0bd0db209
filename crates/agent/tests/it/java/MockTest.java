import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;

/** Mocks that only inline mocking can do. */
class MockTest {
    static final class Final {
        int twice(int x) { return x > 100 ? -1 : 2 * x; }
        final int thrice(int x) { return 3 * x; }
    }

    enum Kind { ONE, TWO; int number() { return ordinal() + 1; } }

    record Pair(int left, int right) {
        int sum() { return left + right; }
    }

    static class Statics {
        static int number() { return 7; }
    }

    static class Made {
        String name() { return "real"; }
    }

    @Test
    void finalClasses() {
        Final mocked = mock(Final.class);
        when(mocked.twice(anyInt())).thenReturn(5);
        assertEquals(5, mocked.twice(1));
        assertEquals(0, mocked.thrice(1));
        assertEquals(6, new Final().twice(3));
        verify(mocked).twice(1);
    }

    @Test
    void spies() {
        Final spied = spy(new Final());
        when(spied.twice(4)).thenReturn(1);
        assertEquals(1, spied.twice(4));
        assertEquals(10, spied.twice(5));
        List<String> list = spy(new ArrayList<>());
        list.add("x");
        verify(list).add("x");
        assertEquals(1, list.size());
    }

    @Test
    void statics() {
        try (MockedStatic<Statics> mocked = mockStatic(Statics.class)) {
            mocked.when(Statics::number).thenReturn(8);
            assertEquals(8, Statics.number());
        }
        assertEquals(7, Statics.number());
    }

    @Test
    void constructions() {
        try (MockedConstruction<Made> mocked = mockConstruction(Made.class)) {
            assertEquals(null, new Made().name());
            assertEquals(1, mocked.constructed().size());
        }
        assertEquals("real", new Made().name());
    }

    @Test
    void enumsAndRecords() {
        Kind kind = mock(Kind.class);
        when(kind.number()).thenReturn(9);
        assertEquals(9, kind.number());
        assertEquals(1, Kind.ONE.number());
        Pair pair = mock(Pair.class);
        when(pair.sum()).thenThrow(new IllegalStateException());
        assertThrows(IllegalStateException.class, pair::sum);
        assertEquals(3, new Pair(1, 2).sum());
    }
}
