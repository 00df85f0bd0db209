import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.stereotype.Component;
import org.springframework.context.annotation.Import;

/** A context with proxies of configuration classes, bound properties and scopes. */
@SpringBootTest(properties = {"some.name=bound", "some.count=3"})
class SpringTest {
    @ConfigurationProperties("some")
    record Settings(String name, int count) {}

    static class Part {}

    record Both(Part left, Part right) {}

    @Component
    static class Service {
        final Settings settings;
        final String text;

        Service(Settings settings, @Value("#{'x'.concat('${some.name}')}") String text) {
            this.settings = settings;
            this.text = text;
        }

        int count() {
            return settings.count() > 2 ? settings.count() : 0;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EnableConfigurationProperties(Settings.class)
    @Import(Service.class)
    static class Application {
        @Bean Part first() { return new Part(); }
        @Bean Both both() { return new Both(first(), first()); }
        @Bean @Scope("prototype") StringBuilder builder() { return new StringBuilder("b"); }
    }

    @Autowired Service service;
    @Autowired Both both;
    @Autowired StringBuilder one;
    @Autowired StringBuilder other;
    @Autowired Application application;

    @Test
    void propertiesAreBound() {
        assertEquals("xbound", service.text);
        assertEquals(3, service.count());
    }

    @Test
    void configurationIsAProxy() {
        assertTrue(both.left() == both.right());
        assertTrue(application.getClass() != Application.class);
        assertNotSame(one, other);
    }
}
