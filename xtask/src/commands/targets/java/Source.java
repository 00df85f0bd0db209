package org.jacoco.core.test.validation;

import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.xml.parsers.*;
import org.w3c.dom.*;

/** A source file and what our XML report says of its lines. Stands in for the class that the targets' tests expect. */
public class Source {
    /** A line of the file. */
    public class Line {
        final int number;
        final String text;
        int missedInstructions, coveredInstructions, missedBranches, coveredBranches;

        Line(int number, String text) {
            this.number = number;
            this.text = text;
        }

        public int getNr() {
            return number;
        }

        public String getText() {
            return text;
        }

        String status() {
            return STATUS[(missedInstructions > 0 ? 1 : 0) + (coveredInstructions > 0 ? 2 : 0)];
        }

        @Override
        public String toString() {
            return name + ":" + number;
        }
    }

    private static final String[] STATUS = {"empty", "not covered", "fully covered", "partly covered"};

    String name;
    final List<Line> lines = new ArrayList<>();
    /** What is outside of the file's text: lines of the report that the file does not have. */
    int firstLine = Integer.MAX_VALUE, lastLine = 0;
    final Map<String, int[]> counters = new HashMap<>();

    static Source load(String target, Path sources, Path report) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Element root = factory.newDocumentBuilder().parse(report.toFile()).getDocumentElement();
        Element type = named(root.getElementsByTagName("class"), target.replace('.', '/'));
        Element parent = (Element) type.getParentNode();
        Source source = new Source();
        source.name = type.getAttribute("sourcefilename");
        Path file = sources.resolve(parent.getAttribute("name")).resolve(source.name);
        for (String text : Files.readAllLines(file)) {
            source.lines.add(source.new Line(source.lines.size() + 1, text));
        }
        source.read(named(parent.getElementsByTagName("sourcefile"), source.name));
        return source;
    }

    private static Element named(NodeList elements, String name) {
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (element.getAttribute("name").equals(name)) {
                return element;
            }
        }
        throw new AssertionError("the report has no " + name);
    }

    private void read(Element file) {
        NodeList children = file.getChildNodes();
        for (int i = 0; i < children.getLength(); i++) {
            Element child = (Element) children.item(i);
            if (child.getTagName().equals("counter")) {
                counters.put(child.getAttribute("type"), new int[] {number(child, "missed"), number(child, "covered")});
                continue;
            }
            int nr = number(child, "nr");
            firstLine = Math.min(firstLine, nr);
            lastLine = Math.max(lastLine, nr);
            if (nr >= 1 && nr <= lines.size()) {
                Line line = lines.get(nr - 1);
                line.missedInstructions = number(child, "mi");
                line.coveredInstructions = number(child, "ci");
                line.missedBranches = number(child, "mb");
                line.coveredBranches = number(child, "cb");
            }
        }
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }

    int[] counter(String type) {
        return counters.getOrDefault(type, new int[2]);
    }
}
