//! What can be searched for: packages, source files, classes and methods, as a script that pages load when somebody
//! searches. A page from the file system may load scripts but no other data.

use super::{Contents, FileView, HtmlSite, PackagePlace, class_anchor, display_name};
use probity_coverage::names::{method_name, package_name};
use serde_json::{Value, json};

/// The script. It gives a list of packages: name, folder, files; of files: name, page, classes; of classes: name,
/// anchor, methods. A method is at the anchor of its class, a dot, and its name.
pub(super) fn write(site: &HtmlSite<'_>) -> String {
    let mut packages = Vec::new();
    for page in &site.pages {
        if let Contents::Package(place) = &page.contents {
            let folder = page.path.strip_suffix("index.html").unwrap_or_default();
            packages.push(package(place, folder));
        }
    }
    format!("probitySearchIndex({});\n", Value::Array(packages))
}

fn package(place: &PackagePlace<'_>, folder: &str) -> Value {
    let files: Vec<Value> = place.files.iter().map(file).collect();
    json!([package_name(&place.package.name), folder, files])
}

fn file(view: &FileView<'_>) -> Value {
    let name = view.source.map_or("", |source| source.name.as_str());
    let classes = view.classes.iter().map(|class| {
        let methods =
            class.methods.iter().map(|method| method_name(&class.name, &method.name, &method.descriptor));
        json!([display_name(class), class_anchor(class), methods.collect::<Vec<String>>()])
    });
    json!([name, view.page, classes.collect::<Vec<Value>>()])
}
