import java.nio.charset.StandardCharsets;
import java.util.zip.ZipFile;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Indexes the lines of the sources in a jar with Lucene, and searches them. */
public class Index {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[1]);
        long found = 0;
        for (int round = 0; round < rounds; round++) {
            try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
                fill(directory, args[0]);
                found += search(directory);
            }
        }
        System.out.println(found);
    }

    private static void fill(ByteBuffersDirectory directory, String jarFile) throws Exception {
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setMergeScheduler(new SerialMergeScheduler());
        try (ZipFile jar = new ZipFile(jarFile); IndexWriter writer = new IndexWriter(directory, config)) {
            for (var entries = jar.entries(); entries.hasMoreElements();) {
                var entry = entries.nextElement();
                if (!entry.getName().endsWith(".java")) {
                    continue;
                }
                String text = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
                for (String line : text.split("\n")) {
                    Document document = new Document();
                    document.add(new TextField("text", line, Field.Store.YES));
                    writer.addDocument(document);
                }
            }
            writer.forceMerge(1);
        }
    }

    private static long search(ByteBuffersDirectory directory) throws Exception {
        long found = 0;
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            String[] words = {"public", "static", "return", "if", "null", "string", "array", "the", "value", "param"};
            for (String one : words) {
                for (String other : words) {
                    BooleanQuery query = new BooleanQuery.Builder()
                            .add(new TermQuery(new Term("text", one)), BooleanClause.Occur.SHOULD)
                            .add(new TermQuery(new Term("text", other)), BooleanClause.Occur.MUST).build();
                    found += searcher.count(query) + searcher.search(query, 20).scoreDocs.length;
                }
            }
        }
        return found;
    }
}
