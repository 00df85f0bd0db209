import kotlinx.coroutines.*

sealed class Shape {
    data class Circle(val r: Double) : Shape()
    data class Box(val w: Double, val h: Double = 1.0) : Shape()
    object Nothing : Shape()
}

@JvmInline value class Name(val text: String)

enum class Level { LOW, HIGH; fun next() = entries[(ordinal + 1) % entries.size] }

inline fun <T> measured(block: () -> T): T = try { block() } finally { count++ }

var count = 0

fun area(shape: Shape?): Double = when (shape) {
    is Shape.Circle -> Math.PI * shape.r * shape.r
    is Shape.Box -> shape.w * shape.h
    Shape.Nothing -> 0.0
    null -> -1.0
}

suspend fun work(n: Int): Int {
    var sum = 0
    for (i in 1..n) { yield(); sum += i }
    return sum
}

fun main() = runBlocking {
    println(area(Shape.Circle(1.0)) + area(Shape.Box(2.0)) + area(null))
    val name: Name? = Name("x").takeIf { it.text.isNotEmpty() }
    println(name?.text ?: "none")
    println(measured { (1..10).filter { it % 2 == 0 }.sumOf { it * it } })
    val all = listOf(async { work(3) }, async { work(5) })
    println(all.awaitAll().sum().toString() + Level.LOW.next())
    val map = mutableMapOf<String, Int>().withDefault { 7 }
    println(map.getValue("y") + runCatching { "z".toInt() }.getOrDefault(1))
    println(sequence { yield(1); yieldAll(listOf(2, 3)) }.joinToString())
}
