//! Puts class files together byte by byte, right ones and wrong ones.
//!
//! Compilers differ from version to version and write no broken classes; these bytes are always the same. Nothing here
//! checks anything.

/// A constant pool that is being filled.
#[derive(Default)]
pub(crate) struct Pool {
    bytes: Vec<u8>,
    count: u16,
}

impl Pool {
    /// Adds a constant: a tag and what stands behind it.
    pub(crate) fn add(&mut self, tag: u8, parts: &[&[u8]]) -> u16 {
        self.count += 1;
        self.bytes.push(tag);
        self.bytes.extend(parts.concat());
        let index = self.count;
        // Numbers of eight bytes take two indexes.
        self.count += u16::from(matches!(tag, 5 | 6));
        index
    }

    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        self.raw_utf8(text.as_bytes())
    }

    pub(crate) fn raw_utf8(&mut self, bytes: &[u8]) -> u16 {
        self.add(1, &[&(bytes.len() as u16).to_be_bytes(), bytes])
    }

    /// A constant that holds an index: a class, a string, a method type, a module or a package.
    pub(crate) fn named(&mut self, tag: u8, text: &str) -> u16 {
        let name = self.utf8(text);
        self.add(tag, &[&name.to_be_bytes()])
    }

    pub(crate) fn class(&mut self, name: &str) -> u16 {
        self.named(7, name)
    }

    pub(crate) fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(12, name, descriptor)
    }

    /// A constant that holds two indexes.
    pub(crate) fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.add(tag, &[&first.to_be_bytes(), &second.to_be_bytes()])
    }

    pub(crate) fn member(&mut self, tag: u8, class: u16, name: &str, descriptor: &str) -> u16 {
        let name_and_type = self.name_and_type(name, descriptor);
        self.pair(tag, class, name_and_type)
    }

    pub(crate) fn handle(&mut self, kind: u8, reference: u16) -> u16 {
        self.add(15, &[&[kind], &reference.to_be_bytes()])
    }

    /// An attribute with its name.
    pub(crate) fn attribute(&mut self, name: &str, contents: &[u8]) -> Vec<u8> {
        let name = self.utf8(name);
        [&name.to_be_bytes()[..], &(contents.len() as u32).to_be_bytes(), contents].concat()
    }

    /// A field or a method.
    pub(crate) fn declare(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        attributes: &[Vec<u8>],
    ) -> Vec<u8> {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        [numbers(&[access, name, descriptor]), list(attributes)].concat()
    }

    /// The contents of a `Code` attribute.
    pub(crate) fn code(&self, code: &[u8], exceptions: &[[u16; 4]], attributes: &[Vec<u8>]) -> Vec<u8> {
        let exceptions: Vec<Vec<u8>> = exceptions.iter().map(|row| numbers(row)).collect();
        let length = (code.len() as u32).to_be_bytes();
        [&numbers(&[4, 3]), &length[..], code, &list(&exceptions), &list(attributes)].concat()
    }
}

/// All parts of a class file but the pool.
pub(crate) struct Parts {
    pub(crate) access: u16,
    pub(crate) this_class: u16,
    pub(crate) super_class: u16,
    pub(crate) interfaces: Vec<u16>,
    pub(crate) fields: Vec<Vec<u8>>,
    pub(crate) methods: Vec<Vec<u8>>,
    pub(crate) attributes: Vec<Vec<u8>>,
}

/// The class file of a pool and parts, of version 61.
pub(crate) fn class_file(pool: &Pool, parts: &Parts) -> Vec<u8> {
    let interfaces: Vec<Vec<u8>> = parts.interfaces.iter().map(|&index| numbers(&[index])).collect();
    [
        vec![0xCA, 0xFE, 0xBA, 0xBE],
        numbers(&[0, 61, pool.count + 1]),
        pool.bytes.clone(),
        numbers(&[parts.access, parts.this_class, parts.super_class]),
        list(&interfaces),
        list(&parts.fields),
        list(&parts.methods),
        list(&parts.attributes),
    ]
    .concat()
}

/// Numbers of two bytes.
pub(crate) fn numbers(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A count and then all items.
pub(crate) fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [numbers(&[items.len() as u16]), items.concat()].concat()
}
