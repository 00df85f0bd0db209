import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;

/** Runs a program in Rhino's interpreter. */
public class Script {
    private static final String PROGRAM = """
            function sieve(limit) {
                var composite = [], primes = 0;
                for (var i = 2; i < limit; i++) {
                    if (!composite[i]) { primes++; for (var j = i * 2; j < limit; j += i) composite[j] = true; }
                }
                return primes;
            }
            function words(count) {
                var text = '', seen = {};
                for (var i = 0; i < count; i++) text += String.fromCharCode(97 + (i * i) % 26) + (i % 7 == 0 ? ' ' : '');
                var parts = text.split(' ');
                for (var k in parts) seen[parts[k]] = (seen[parts[k]] || 0) + 1;
                var names = [];
                for (var name in seen) names.push(name + ':' + seen[name]);
                return names.sort().join(',').length;
            }
            function tree(depth) { return depth == 0 ? { value: 1 } : { left: tree(depth - 1), right: tree(depth - 1) }; }
            function sum(node) { return node.value ? node.value : sum(node.left) + sum(node.right); }
            var total = 0;
            for (var round = 0; round < rounds; round++) total += sieve(20000) + words(5000) + sum(tree(12));
            total;
            """;

    public static void main(String[] args) {
        Context context = Context.enter();
        try {
            context.setOptimizationLevel(-1);
            Scriptable scope = context.initStandardObjects();
            scope.put("rounds", scope, Integer.valueOf(args[0]));
            System.out.println(Context.toString(context.evaluateString(scope, PROGRAM, "program", 1, null)));
        } finally {
            Context.exit();
        }
    }
}
