import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/** Fills tables of an H2 database in memory, and asks questions about them. */
public class Database {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        long answer = 0;
        for (int round = 0; round < rounds; round++) {
            try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
                fill(connection);
                answer += ask(connection);
            }
        }
        System.out.println(answer);
    }

    private static void fill(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table customer(id int primary key, name varchar, city int)");
            statement.execute("create table purchase(id int primary key, customer int, price decimal(10, 2), at_day int)");
            statement.execute("create index by_customer on purchase(customer)");
        }
        long seed = 1;
        try (PreparedStatement insert = connection.prepareStatement("insert into customer values(?, ?, ?)")) {
            for (int id = 0; id < 500; id++) {
                insert.setInt(1, id);
                insert.setString(2, "customer " + id * 7919 % 500);
                insert.setInt(3, id % 17);
                insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into purchase values(?, ?, ?, ?)")) {
            for (int id = 0; id < 10_000; id++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                insert.setInt(1, id);
                insert.setInt(2, (int) ((seed >>> 33) % 500));
                insert.setBigDecimal(3, java.math.BigDecimal.valueOf((seed >>> 40) % 100_000, 2));
                insert.setInt(4, (int) ((seed >>> 50) % 365));
                insert.executeUpdate();
            }
        }
    }

    private static long ask(Connection connection) throws Exception {
        String[] questions = {
            "select city, count(*), sum(price) from customer c join purchase p on c.id = p.customer group by city order by 3",
            "select name from customer where id in (select customer from purchase where price > 900) order by name",
            "select at_day, max(price) from purchase where at_day between 10 and 100 group by at_day having count(*) > 3 order by 2 desc",
            "select c.name, p.price from customer c join purchase p on c.id = p.customer where p.price < 5 order by p.price, c.name",
            "select count(distinct lower(substring(name, 3)) || city) from customer where name like '%9%'"
        };
        long rows = 0;
        try (Statement statement = connection.createStatement()) {
            for (String question : questions) {
                try (ResultSet result = statement.executeQuery(question)) {
                    while (result.next()) {
                        rows += result.getString(1).length();
                    }
                }
            }
        }
        return rows;
    }
}
