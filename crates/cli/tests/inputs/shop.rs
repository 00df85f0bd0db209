//! A small project of two modules, with code to cover, what was executed of it, and what can go wrong with it.

use probity_execdata::{write_class, write_header, write_session};
use probity_instrument::class_id;

use super::archives::archive;
use super::classes::class_with_lines;

/// Not UTF-8, as files of some age are.
const SOURCE: &[u8] = b"package shop;
class Cart { static void pay(int price) {
        if (price != 0) { // caf\xE9
            return;
        }
    }
    static void close() {
    }
}
";

/// Writes everything.
pub(crate) fn write_all(write: &dyn Fn(&str, &[u8])) {
    let (cart, shelf) =
        (class_with_lines("shop/Cart", "Cart.java"), class_with_lines("shop/store/Shelf", "Shelf.java"));
    let (account, other_cart) =
        (class_with_lines("bank/Account", "Account.java"), class_with_lines("shop/Cart", "OtherCart.java"));
    write("shop/classes/shop/Cart.class", &cart);
    write("shop/classes/shop/store/Shelf.class", &shelf);
    write("shop/sources/shop/Cart.java", SOURCE);
    write("bank/classes/bank/Account.class", &account);
    write("bank/classes/shop/Cart.class", &other_cart);
    write("no-classes/notes.txt", b"notes");

    let jar = archive(&[("shop/Cart.class", &cart), ("shop/store/Shelf.class", &shelf)]);
    write("shop.jar", &jar);
    write("shop-cut.jar", &jar[..jar.len() - 30]);
    let damaged =
        archive(&[("shop/store/Shelf.class", &shelf[..shelf.len() - 9]), ("shop/Cart.class", &cart)]);
    write("shop-damaged.jar", &damaged);

    write("shop-odd/cart.bin", &cart);
    write("shop-odd/shelf.kar", &archive(&[("shelf", &shelf), ("notes.txt", b"notes"), ("Cut.class", b"")]));
    write("shop-odd/Text.class", b"this is text");
    write("shop-odd/text.war", b"this is text");
    let mut deep = cart.clone();
    for _ in 0..6 {
        deep = archive(&[("inner", &deep)]);
    }
    write("shop-deep.zip", &archive(&[("deep", &deep), ("shelf", &shelf)]));
    let versions: [(&str, &[u8]); 3] = [
        ("shop/Cart.class", &cart),
        ("META-INF/versions/9/shop/Cart.class", &other_cart),
        ("shop/store/Shelf.class", &shelf),
    ];
    write("shop-versions.jar", &archive(&versions));

    let executed = |classes: &[(u64, &[u8], &[u8])]| {
        let mut exec = Vec::new();
        write_header(&mut exec);
        write_session(&mut exec, "shop-tests", 1_700_000_000_000, 1_700_000_060_000);
        classes.iter().for_each(|(id, name, probes)| write_class(&mut exec, *id, name, probes));
        exec
    };
    let (some, all) = (&[1, 0, 1], &[1, 1, 1]);
    write(
        "shop.exec",
        &executed(&[(class_id(&cart), b"shop/Cart", some), (class_id(&account), b"bank/Account", all)]),
    );
    write("shop-earlier.exec", &executed(&[(0xBEEF, b"shop/Cart", all)]));

    write("taken/notes.txt", b"not a report");
    write("old-report.xml", b"the old report");
}
