import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Transforms a document with Xalan's interpreter and Xerces, several times. */
public class Transform {
    private static final String STYLESHEET = """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
              <xsl:key name="by-group" match="item" use="@group"/>
              <xsl:template match="/list">
                <groups>
                  <xsl:for-each select="item[generate-id() = generate-id(key('by-group', @group)[1])]">
                    <xsl:sort select="@group" data-type="number"/>
                    <group name="{@group}" size="{count(key('by-group', @group))}">
                      <xsl:apply-templates select="key('by-group', @group)">
                        <xsl:sort select="name"/>
                      </xsl:apply-templates>
                    </group>
                  </xsl:for-each>
                </groups>
              </xsl:template>
              <xsl:template match="item">
                <xsl:choose>
                  <xsl:when test="price &gt; 500"><dear><xsl:value-of select="concat(name, ' ', price)"/></dear></xsl:when>
                  <xsl:otherwise>
                    <cheap><xsl:value-of select="translate(normalize-space(name), 'abc', 'ABC')"/></cheap>
                  </xsl:otherwise>
                </xsl:choose>
              </xsl:template>
            </xsl:stylesheet>
            """;

    public static void main(String[] args) throws Exception {
        int items = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        System.setProperty("javax.xml.transform.TransformerFactory", "org.apache.xalan.processor.TransformerFactoryImpl");
        System.setProperty("javax.xml.parsers.SAXParserFactory", "org.apache.xerces.jaxp.SAXParserFactoryImpl");
        Templates templates = TransformerFactory.newInstance().newTemplates(new StreamSource(new StringReader(STYLESHEET)));
        String document = document(items);
        long length = 0;
        for (int round = 0; round < rounds; round++) {
            StringWriter out = new StringWriter();
            templates.newTransformer().transform(new StreamSource(new StringReader(document)), new StreamResult(out));
            length += out.getBuffer().length();
        }
        System.out.println(length);
    }

    private static String document(int items) {
        StringBuilder text = new StringBuilder("<list>");
        long seed = 1;
        for (int item = 0; item < items; item++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            text.append("<item group=\"").append((seed >>> 33) % 50).append("\"><name> item abc ").append(seed >>> 40);
            text.append(" </name><price>").append((seed >>> 45) % 1000).append("</price></item>");
        }
        return text.append("</list>").toString();
    }
}
