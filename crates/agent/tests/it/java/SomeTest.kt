import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlinx.coroutines.*

sealed interface Expr
data class Num(val value: Int) : Expr
data class Sum(val left: Expr, val right: Expr) : Expr

fun eval(e: Expr): Int = when (e) { is Num -> e.value; is Sum -> eval(e.left) + eval(e.right) }

class SomeTest {
    @Test fun evaluates() = assertEquals(6, eval(Sum(Num(1), Sum(Num(2), Num(3)))))
    @Test fun fails() { assertFailsWith<NumberFormatException> { "x".toInt() } }
    @Test fun suspends() = runBlocking {
        val all = (1..5).map { async { yield(); it * it } }
        assertEquals(55, all.awaitAll().sum())
    }
    @Test fun lazies() {
        val text by lazy { "a".repeat(3) }
        assertEquals("aaa", text)
        assertEquals(listOf(1, 3), sequenceOf(1, 2, 3).filterIndexed { i, _ -> i % 2 == 0 }.toList())
    }
}
