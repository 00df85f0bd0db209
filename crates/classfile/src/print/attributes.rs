//! The attributes of the JVM specification, each in the manner that `javap` has for it, and all others as bytes.

use std::fmt::{self, Write};

use super::flags::Flags;
use super::{Printer, text};
use crate::attribute::{Attribute, BootstrapMethod, EnclosingMethod, InnerClass};
use crate::attribute::{MethodParameter, RecordComponents};
use crate::class::Member;
use crate::mutf8::Mutf8;
use crate::pool::Constant;
use crate::table::{Sequence, Table};

/// Bytes on a line of an unknown attribute.
const BYTES_PER_LINE: usize = 16;
/// The columns of a parameter's name.
const PARAMETER_COLUMNS: usize = 31;

impl<'a> Printer<'_, 'a> {
    /// Writes one attribute; `name` is its name as it stands in the file.
    pub(super) fn decoded_attribute(
        &mut self,
        name: &str,
        attribute: &Attribute<'a>,
        member: Option<&Member<'a>>,
    ) -> fmt::Result {
        match attribute {
            Attribute::Code(code) => self.code(code, member),
            Attribute::StackMapTable(table) => self.stack_map(table),
            Attribute::ConstantValue(index) | Attribute::NestHost(index) => {
                writeln!(self, "{name}: {}", self.constant_text(*index))
            }
            Attribute::Signature(index) => {
                let signature = self.plain_text(*index);
                self.commented(&format!("{name}: #{index}"), &signature)
            }
            Attribute::ModuleMainClass(index) => {
                let class = self.java_class(*index);
                self.commented(&format!("{name}: #{index}"), &class)
            }
            Attribute::SourceFile(index) => writeln!(self, "{name}: \"{}\"", self.plain_text(*index)),
            Attribute::Synthetic | Attribute::Deprecated => writeln!(self, "{name}: true"),
            Attribute::EnclosingMethod(method) => self.enclosing_method(name, *method),
            Attribute::Unknown(bytes) => self.unknown_attribute(name, bytes),
            _ => {
                writeln!(self, "{name}:")?;
                self.listed_attribute(attribute)
            }
        }
    }

    /// The attributes that have a line of their own for the name.
    fn listed_attribute(&mut self, attribute: &Attribute<'a>) -> fmt::Result {
        match attribute {
            Attribute::LineNumberTable(table) => self.line_numbers(table),
            Attribute::LocalVariableTable(table) | Attribute::LocalVariableTypeTable(table) => {
                self.local_variables(table)
            }
            Attribute::Exceptions(classes) => self.exceptions(classes),
            Attribute::InnerClasses(classes) => self.inner_classes(classes),
            Attribute::SourceDebugExtension(text) => self.debug_extension(*text),
            Attribute::Annotations(annotations) => self.annotations(annotations),
            Attribute::ParameterAnnotations(parameters) => self.parameter_annotations(parameters),
            Attribute::TypeAnnotations(annotations) => self.type_annotations(annotations),
            Attribute::AnnotationDefault(value) => self.annotation_default(value),
            Attribute::BootstrapMethods(methods) => self.bootstrap_methods(methods),
            Attribute::MethodParameters(parameters) => self.method_parameters(parameters),
            Attribute::Module(module) => self.module(module),
            Attribute::ModulePackages(packages) => self.module_packages(packages),
            Attribute::NestMembers(classes) | Attribute::PermittedSubclasses(classes) => {
                self.indented(|printer| {
                    classes.iter().try_for_each(|class| {
                        let name = printer.class_text(class);
                        writeln!(printer, "{name}")
                    })
                })
            }
            Attribute::Record { components, .. } => self.record_components(components),
            // All others have one line and were written by the caller.
            _ => Ok(()),
        }
    }

    fn enclosing_method(&mut self, name: &str, method: EnclosingMethod) -> fmt::Result {
        let mut enclosing = self.java_class(method.class);
        if method.method != 0 {
            let method_name = match self.class.pool().get(method.method) {
                Ok(Constant::NameAndType { name, .. }) => self.plain_text(name),
                _ => self.value_text(method.method),
            };
            enclosing = format!("{enclosing}.{method_name}");
        }
        self.commented(&format!("{name}: #{}.#{}", method.class, method.method), &enclosing)
    }

    fn unknown_attribute(&mut self, name: &str, bytes: &[u8]) -> fmt::Result {
        self.indented(|printer| {
            writeln!(printer, "{name}: length = 0x{:X} (unknown attribute)", bytes.len())?;
            for line in bytes.chunks(BYTES_PER_LINE) {
                let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02X}")).collect();
                writeln!(printer, " {}", hex.join(" "))?;
            }
            Ok(())
        })
    }

    fn exceptions(&mut self, classes: &Table<'a, u16>) -> fmt::Result {
        self.indented(|printer| {
            let mut before = "throws ";
            for class in classes.iter() {
                let name = printer.java_class(class);
                write!(printer, "{before}{name}")?;
                before = ", ";
            }
            writeln!(printer)
        })
    }

    fn inner_classes(&mut self, classes: &Table<'a, InnerClass>) -> fmt::Result {
        self.indented(|printer| classes.iter().try_for_each(|class| printer.inner_class(class)))
    }

    fn inner_class(&mut self, class: InnerClass) -> fmt::Result {
        let mut left = Flags::inner_class(class.access).keywords();
        let mut right = String::new();
        if class.inner_name != 0 {
            left = format!("{left}#{}= ", class.inner_name);
            right = format!("{}=", self.plain_text(class.inner_name));
        }
        left = format!("{left}#{}", class.inner_class);
        right = format!("{right}{}", self.constant_text(class.inner_class));
        if class.outer_class != 0 {
            left = format!("{left} of #{}", class.outer_class);
            right = format!("{right} of {}", self.constant_text(class.outer_class));
        }
        self.commented(&format!("{left};"), &right)
    }

    fn debug_extension(&mut self, extension: Mutf8<'a>) -> fmt::Result {
        let lines = extension.as_bytes().split(|byte| matches!(byte, b'\r' | b'\n'));
        self.indented(|printer| {
            for line in lines.filter(|line| !line.is_empty()) {
                writeln!(printer, "{}", text::plain(Mutf8::new(line)))?;
            }
            Ok(())
        })
    }

    fn bootstrap_methods(&mut self, methods: &Sequence<'a, BootstrapMethod<'a>>) -> fmt::Result {
        self.indented(|printer| {
            for (position, method) in methods.iter().enumerate() {
                writeln!(printer, "{position}: #{} {}", method.method, printer.value_text(method.method))?;
                printer.indented(|printer| {
                    writeln!(printer, "Method arguments:")?;
                    printer.indented(|printer| {
                        method.arguments.iter().try_for_each(|argument| {
                            let value = printer.value_text(argument);
                            writeln!(printer, "#{argument} {value}")
                        })
                    })
                })?;
            }
            Ok(())
        })
    }

    fn method_parameters(&mut self, parameters: &Table<'a, MethodParameter>) -> fmt::Result {
        const FLAGS: [(u16, &str); 3] = [(0x0010, "final"), (0x8000, "mandated"), (0x1000, "synthetic")];
        self.indented(|printer| {
            writeln!(printer, "{:<PARAMETER_COLUMNS$}Flags", "Name")?;
            for parameter in parameters.iter() {
                let name = match parameter.name {
                    0 => "<no name>".to_owned(),
                    name => printer.value_text(name),
                };
                let flags = FLAGS.iter().filter(|(bit, _)| parameter.access & bit != 0);
                let flags: Vec<&str> = flags.map(|(_, name)| *name).collect();
                if flags.is_empty() {
                    writeln!(printer, "{name}")?;
                } else {
                    writeln!(printer, "{name:<PARAMETER_COLUMNS$}{}", flags.join(" "))?;
                }
            }
            Ok(())
        })
    }

    fn record_components(&mut self, components: &RecordComponents<'a>) -> fmt::Result {
        self.indented(|printer| {
            for component in components.iter() {
                let java_type = printer.java_type(component.descriptor);
                writeln!(printer, "{java_type} {};", printer.plain_text(component.name))?;
                printer.indented(|printer| {
                    writeln!(printer, "descriptor: {}", printer.plain_text(component.descriptor))?;
                    printer.attributes(&component.attributes, None)
                })?;
                writeln!(printer)?;
            }
            Ok(())
        })
    }
}
