//! The program of the demonstration: small, but with a bit of everything that makes rewriting hard.
//!
//! It has a loop, a switch, a `finally`, a lambda and a record, and what it prints depends on all of them.

pub(super) const FILE: &str = "Invoice.java";
pub(super) const MAIN_CLASS: &str = "Invoice";
/// The class of which the demonstration shows a part.
pub(super) const SHOWN_CLASS: &str = "Invoice.class";
/// The method that is shown.
const SHOWN_METHOD: &str = "priceOf";

pub(super) const SOURCE: &str = r#"import java.util.List;
import java.util.function.IntUnaryOperator;

public class Invoice {
    record Item(String what, int count) {}

    static int priceOf(Item item) {
        int price;
        switch (item.what()) {
            case "pen": price = 2; break;
            case "book": price = 30; break;
            default: throw new IllegalArgumentException("no price for " + item.what());
        }
        int sum = 0;
        for (int i = 0; i < item.count(); i++) {
            sum += price;
        }
        return sum;
    }

    static int total(List<Item> items, IntUnaryOperator discount) {
        int sum = 0, asked = 0;
        for (Item item : items) {
            try {
                sum += priceOf(item);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            } finally {
                asked++;
            }
        }
        System.out.println(asked + " items");
        return discount.applyAsInt(sum);
    }

    public static void main(String[] args) {
        var items = List.of(new Item("pen", 5), new Item("ship", 1), new Item("book", 2));
        System.out.println("total " + total(items, sum -> sum > 50 ? sum - 10 : sum));
    }
}
"#;

/// What the program prints.
pub(super) const OUTPUT: &str = "no price for ship\n3 items\ntotal 60\n";

/// The beginning of one method in the listing of its class.
pub(super) fn excerpt(listing: &str, length: usize) -> Vec<&str> {
    let is_method = |line: &&str| line.contains(SHOWN_METHOD) && line.trim_end().ends_with(';');
    let is_declared = |line: &&str| line.starts_with("  ") && !line.starts_with("    ") && is_method(line);
    let lines: Vec<&str> = listing.lines().collect();
    let start = lines.iter().position(is_declared).unwrap_or(0);
    lines.into_iter().skip(start).take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excerpt_begins_with_the_declaration_and_not_with_a_call() {
        let listing = "Constant pool:\n  #7 = Utf8 priceOf\n{\n      9: invokestatic // priceOf;\n  static int priceOf(Item);\n    descriptor: x\n";
        assert_eq!(excerpt(listing, 2), ["  static int priceOf(Item);", "    descriptor: x"]);
        assert_eq!(excerpt(listing, 1).len(), 1);
    }
}
