import com.github.javaparser.JavaParser;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.visitor.VoidVisitorAdapter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/** Parses the sources in a jar with JavaParser, walks through the trees and prints them. */
public class ParseJava {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[1]);
        List<String> sources = new ArrayList<>();
        try (ZipFile jar = new ZipFile(args[0])) {
            for (var entries = jar.entries(); entries.hasMoreElements();) {
                var entry = entries.nextElement();
                if (entry.getName().endsWith(".java")) {
                    sources.add(new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        JavaParser parser = new JavaParser(new ParserConfiguration().setLanguageLevel(ParserConfiguration.LanguageLevel.JAVA_17));
        long[] counts = new long[2];
        for (int round = 0; round < rounds; round++) {
            for (String source : sources) {
                CompilationUnit unit = parser.parse(source).getResult().orElseThrow();
                unit.accept(new VoidVisitorAdapter<Void>() {
                    @Override
                    public void visit(NameExpr name, Void nothing) {
                        counts[0]++;
                        super.visit(name, nothing);
                    }
                }, null);
                counts[1] += unit.toString().length();
            }
        }
        System.out.println(counts[0] + " " + counts[1]);
    }
}
