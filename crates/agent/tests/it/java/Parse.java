import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.javaparser.ParseProblemException;
import com.github.javaparser.StaticJavaParser;
import com.github.javaparser.ast.CompilationUnit;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.xerces.parsers.DOMParser;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Parses Java, JSON and XML, good and bad. */
public class Parse {
    /** Something for JSON. */
    public static class Item {
        public String name;
        public int[] numbers;
        public Map<String, Double> values = new TreeMap<>();
    }

    public static void main(String[] args) throws Exception {
        java();
        json();
        xml();
    }

    static void java() {
        StringBuilder source = new StringBuilder("package p; import java.util.*; public class A<T extends Number> {\n");
        for (int i = 0; i < 20; i++) {
            source.append("  /** Doc. */ @Deprecated public <X> int m" + i + "(int a, X... b) throws Exception {\n");
            source.append("    for (int i = 0; i < a; i++) { if (i % 2 == 0 && b != null) continue; else a -= 0x1F; }\n");
            source.append("    switch (a) { case 1: return a << 2; default: break; }\n");
            source.append("    Runnable r = () -> { try { System.out.println(\"x\" + 'c'); } finally { } };\n");
            source.append("    return new int[] {1, 2, 3}[a] + (a > 0 ? 1 : (int) 2.5e3);\n  }\n");
        }
        source.append("}\n");
        CompilationUnit unit = StaticJavaParser.parse(source.toString());
        System.out.println(unit.toString().length() + " " + unit.getType(0).getMembers().size());
        try {
            StaticJavaParser.parse("class { int 5x; }");
        } catch (ParseProblemException error) {
            System.out.println("problems " + error.getProblems().size());
        }
    }

    static void json() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        String text = "{\"name\":\"\\u00e4\\n\",\"numbers\":[1,2,-3],\"values\":{\"a\":1.5e3,\"b\":0.25}}";
        Item item = mapper.readValue(text, Item.class);
        System.out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(item).length());
        JsonNode tree = mapper.readTree("[null,true,{\"x\":[[],{}]},12345678901234567890,\"s\"]");
        System.out.println(tree.size() + " " + tree.at("/2/x/0").isArray());
        for (String bad : List.of("{", "[1,]", "nul", "{\"a\" 1}", "\"\\x\"", "01")) {
            try {
                mapper.readTree(bad);
            } catch (JsonProcessingException error) {
                System.out.println("bad at " + error.getLocation().getColumnNr());
            }
        }
    }

    static void xml() throws Exception {
        String text = "<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a (b*)><!ELEMENT b (#PCDATA)>"
                + "<!ATTLIST b c CDATA #IMPLIED><!ENTITY e 'text'>]><a><!-- c --><b c='1'>&e;&#65;</b><b><![CDATA[<]]></b></a>";
        DOMParser parser = new DOMParser();
        parser.setFeature("http://xml.org/sax/features/validation", true);
        parser.parse(new InputSource(new StringReader(text)));
        System.out.println(parser.getDocument().getDocumentElement().getChildNodes().getLength());
        for (String bad : List.of("<a>", "<a></b>", "<a b=1/>", "&x;", "<a>&undefined;</a>")) {
            try {
                DOMParser other = new DOMParser();
                other.setErrorHandler(null);
                other.parse(new InputSource(new StringReader(bad)));
            } catch (SAXException error) {
                System.out.println("bad xml");
            }
        }
    }
}
