import java.util.ArrayList;
import java.util.List;
import kotlin.collections.CollectionsKt;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.sequences.Sequence;
import kotlin.sequences.SequencesKt;
import kotlin.text.Regex;
import kotlin.text.StringsKt;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.DelayKt;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.channels.ChannelKt;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.channels.BufferOverflow;

/** Works with Kotlin's library and its coroutines, on one thread. */
public class KotlinUse {
    public static void main(String[] args) throws Exception {
        List<Integer> numbers = CollectionsKt.toList(new kotlin.ranges.IntRange(1, 50));
        System.out.println(CollectionsKt.windowed(numbers, 3, 2, true).size());
        System.out.println(CollectionsKt.chunked(numbers, 7));
        Sequence<Integer> odd = SequencesKt.filter(CollectionsKt.asSequence(numbers), x -> x % 2 == 1);
        System.out.println(SequencesKt.joinToString(SequencesKt.map(odd, x -> x * x), ",", "[", "]", 10, "..", null));
        System.out.println(StringsKt.trimIndent("\n    a\n      b\n    c\n"));
        System.out.println(StringsKt.padStart("7", 3, '0') + StringsKt.removeSuffix("file.txt", ".txt"));
        System.out.println(new Regex("([a-z]+)=([0-9]+)").replace("x=1, yy=22", m -> m.getGroupValues().get(2)));
        System.out.println(StringsKt.toIntOrNull("12x") + " " + StringsKt.toIntOrNull("-12"));
        List<String> words = new ArrayList<>(List.of("pear", "fig", "apple"));
        System.out.println(CollectionsKt.sortedWith(words, (a, b) -> a.length() - b.length()));
        System.out.println(coroutines());
    }

    static Object coroutines() throws Exception {
        Channel<Integer> channel = ChannelKt.Channel(2, BufferOverflow.SUSPEND, null);
        return BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, continuation) -> {
            Job job = BuildersKt.launch(scope, EmptyCoroutineContext.INSTANCE, CoroutineStart.DEFAULT,
                    (inner, next) -> {
                        channel.close(null);
                        return channel.send(1, next);
                    });
            job.cancel(null);
            Job other = BuildersKt.launch(scope, EmptyCoroutineContext.INSTANCE, CoroutineStart.UNDISPATCHED,
                    (inner, next) -> channel.send(4, next));
            BuildersKt.launch(scope, EmptyCoroutineContext.INSTANCE, CoroutineStart.LAZY,
                    (inner, next) -> DelayKt.delay(1, next)).start();
            return job.isCancelled() + " " + other.isCompleted();
        });
    }
}
