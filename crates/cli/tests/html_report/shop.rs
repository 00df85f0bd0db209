//! A small program with everything that a page can show, its report by us, and its numbers by JaCoCo.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use probity_test_support::java::{Compilation, Program, test_jdks};
use probity_test_support::tools;
use tempfile::TempDir;

const CART: &str = r#"package shop.cart;

import java.util.ArrayList;
import java.util.List;

/** Things to buy; <b>not</b> markup. */
public class Cart {
    private final List<String> items = new ArrayList<>();

    public void add(String item, int count) {
        if (item == null || count < 1) {
            throw new IllegalArgumentException("<nothing> & \"none\"");
        }
        for (int i = 0; i < count; i++) {
            items.add(item);
        }
    }

    public int size() {
        return items.size();
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }

    /* never
       called */
    public List<String> never(List<? extends Number>[] numbers, java.util.Map.Entry<String, int[]> entry) {
        return numbers == null ? items : null;
    }

    static class Counter implements Runnable {
        int count;

        @Override
        public void run() {
            count++;
        }
    }
}
"#;

const PRICE: &str = r#"package shop.price;

public final class Price {
    private Price() {
        throw new AssertionError();
    }

    public static int of(String item) {
        switch (item) {
            case "apple":
                return 3;
            case "pear":
                return 4;
            default:
                return fallback(item);
        }
    }

    private static int fallback(String item) {
        Runnable nothing = new Runnable() {
            @Override
            public void run() {
            }
        };
        nothing.run();
        return item.isEmpty() ? 0 : 1;
    }
}
"#;

const MAIN: &str = r#"import shop.cart.Cart;
import shop.price.Price;

public class Main {
    public static void main(String[] arguments) {
        Cart cart = new Cart();
        cart.add("apple", 2);
        System.out.println(cart.size() + " " + Price.of("apple") + " " + Price.of("plum"));
        Plain.greet();
    }
}
"#;

const PLAIN: &str =
    "public class Plain { static void greet() { System.out.println(\"hello\"); } static void bye() {} }";

/// The report of the program.
pub(crate) struct Shop {
    folder: TempDir,
}

/// The counts of a line, as JaCoCo has them: missed and covered instructions, missed and covered branches.
pub(crate) type LineCounts = [u32; 4];

impl Shop {
    /// Made once for all tests.
    pub(crate) fn get() -> &'static Shop {
        static SHOP: OnceLock<Shop> = OnceLock::new();
        SHOP.get_or_init(Shop::make)
    }

    fn make() -> Shop {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("temporary folder");
        let shop = Shop { folder };
        let jdk = test_jdks().remove(0);
        for (path, text) in
            [("shop/cart/Cart.java", CART), ("shop/price/Price.java", PRICE), ("Main.java", MAIN)]
        {
            let path = shop.path("src").join(path);
            fs::create_dir_all(path.parent().expect("is in a folder")).expect("makes the folder");
            fs::write(path, text).expect("writes");
        }
        // Without debug information, and so without the name of a source file.
        let plain =
            Compilation::with(&jdk).release(8).option("-g:none").source("Plain.java", PLAIN).compile();
        let plain = plain.expect("compiles");
        let mut compilation = Compilation::with(&jdk).release(8).option("-g").class_path([plain.folder()]);
        for (path, text) in
            [("shop/cart/Cart.java", CART), ("shop/price/Price.java", PRICE), ("Main.java", MAIN)]
        {
            compilation = compilation.source(path, text);
        }
        let classes = compilation.compile().expect("compiles");
        let agent = tools::jacoco_agent().expect("is fetched");
        let agent = format!("-javaagent:{}=destfile={}", agent.display(), shop.path("shop.exec").display());
        let class_path = [classes.folder(), plain.folder()];
        let program = Program::with(&jdk, "Main").jvm_argument(agent).class_path(class_path.clone());
        program.run_successfully().expect("runs");
        let both = class_path.map(|path| path.display().to_string());
        shop.report_by_us(&both);
        shop.report_by_jacoco(&both, jdk.java().as_path());
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder with the pages.
    pub(crate) fn html(&self) -> PathBuf {
        self.path("html")
    }

    fn report_by_us(&self, classes: &[String]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        command.arg("report").arg("--exec").arg(self.path("shop.exec")).arg("--classes").args(classes);
        command.arg("--sources").arg(self.path("src")).args(["--name", "Shop & <Sons>"]);
        command.arg("--format").arg(format!("html={}", self.html().display()));
        let output = command.output().expect("runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }

    fn report_by_jacoco(&self, classes: &[String], java: &Path) {
        let mut command = Command::new(java);
        command.arg("-jar").arg(tools::jacoco_command().expect("is fetched")).arg("report");
        command.arg(self.path("shop.exec")).arg("--xml").arg(self.path("jacoco.xml"));
        classes.iter().for_each(|classes| {
            command.arg("--classfiles").arg(classes);
        });
        let output = command.output().expect("runs");
        assert!(output.status.success(), "{output:?}");
    }

    /// JaCoCo's lines, by package and source file.
    pub(crate) fn jacoco_lines(&self) -> BTreeMap<(String, String), BTreeMap<u32, LineCounts>> {
        let xml = fs::read_to_string(self.path("jacoco.xml")).expect("is there");
        let mut files = BTreeMap::new();
        for package in xml.split("<package name=\"").skip(1) {
            let name = until_quote(package);
            for file in package.split("<sourcefile name=\"").skip(1) {
                let lines = file.split("<line ").skip(1).map(|line| {
                    let [number, counts @ ..] =
                        ["nr", "mi", "ci", "mb", "cb"].map(|attribute| attribute_of(line, attribute));
                    (number, counts)
                });
                files.insert((name.to_owned(), until_quote(file).to_owned()), lines.collect());
            }
        }
        files
    }

    /// JaCoCo's missed instructions and all instructions, by package.
    pub(crate) fn jacoco_packages(&self) -> Vec<(String, u32, u32)> {
        let xml = fs::read_to_string(self.path("jacoco.xml")).expect("is there");
        let mut packages = Vec::new();
        for package in xml.split("<package name=\"").skip(1) {
            let own = package.split("</package>").next().unwrap_or_default();
            let counter = own.rsplit("<counter type=\"INSTRUCTION\"").next().unwrap_or_default();
            let (missed, covered) = (attribute_of(counter, "missed"), attribute_of(counter, "covered"));
            let name = until_quote(package).replace('/', ".");
            packages.push((
                if name.is_empty() { "default".to_owned() } else { name },
                missed,
                missed + covered,
            ));
        }
        packages
    }
}

fn until_quote(text: &str) -> &str {
    text.split('"').next().unwrap_or_default()
}

fn attribute_of(element: &str, name: &str) -> u32 {
    let value = element.split(&format!("{name}=\"")).nth(1).map(until_quote);
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} in {element}"))
}
