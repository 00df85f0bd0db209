package probity.maven;

/** Texts in one line: a backslash, a line feed and a carriage return are written as two characters. */
final class Lines {
    private Lines() {
    }

    static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    static String unescaped(String line) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '\\' && at + 1 < line.length()) {
                at++;
                char escaped = line.charAt(at);
                text.append(escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
