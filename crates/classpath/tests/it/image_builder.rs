//! Writes runtime images, small and false ones.
//!
//! It follows the layout that the linker of the JDK writes, in either byte order, with a few resources
//! instead of thousands. Like the archive builder it checks nothing.

use std::collections::HashMap;
use std::io::Write;

/// The byte order of an image in the making.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Little,
    Big,
}

/// One resource of an image.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(crate) module: &'static str,
    pub(crate) parent: &'static str,
    pub(crate) base: &'static str,
    pub(crate) extension: &'static str,
    pub(crate) content: Vec<u8>,
    /// The names of the compressions, the innermost first.
    pub(crate) compressions: Vec<&'static str>,
    /// Added to the size that the index declares.
    pub(crate) size_error: u64,
    /// How many times more than once the size is declared.
    pub(crate) repeated_sizes: usize,
}

impl Resource {
    pub(crate) fn class(parent: &'static str, base: &'static str, content: &[u8]) -> Resource {
        Resource {
            module: "java.base",
            parent,
            base,
            extension: "class",
            content: content.to_vec(),
            compressions: Vec::new(),
            size_error: 0,
            repeated_sizes: 0,
        }
    }

    pub(crate) fn compressed(mut self, by: &[&'static str]) -> Resource {
        self.compressions = by.to_vec();
        self
    }
}

/// An image with these resources.
pub(crate) fn image(order: Order, resources: &[Resource]) -> Vec<u8> {
    let mut parts = Parts {
        order,
        offsets: Vec::new(),
        locations: vec![0],
        strings: vec![0],
        known_strings: HashMap::new(),
        contents: Vec::new(),
    };
    for resource in resources {
        parts.add(resource);
    }
    let count = u32::try_from(resources.len()).expect("small");
    let length_of = |bytes: &Vec<u8>| u32::try_from(bytes.len()).expect("small");
    let mut file = Vec::new();
    for word in
        [0xCAFE_DADA, 0x0001_0000, 0, count, count, length_of(&parts.locations), length_of(&parts.strings)]
    {
        file.extend(order.four(word));
    }
    file.extend(vec![0; resources.len() * 4]);
    file.extend(parts.offsets);
    file.extend(parts.locations);
    file.extend(parts.strings);
    file.extend(parts.contents);
    file
}

struct Parts {
    order: Order,
    offsets: Vec<u8>,
    locations: Vec<u8>,
    strings: Vec<u8>,
    known_strings: HashMap<&'static str, u32>,
    contents: Vec<u8>,
}

impl Parts {
    fn add(&mut self, resource: &Resource) {
        let offset = u32::try_from(self.locations.len()).expect("small");
        self.offsets.extend(self.order.four(offset));
        for (kind, text) in
            [(1, resource.module), (2, resource.parent), (3, resource.base), (4, resource.extension)]
        {
            if !text.is_empty() {
                let offset = self.string(text);
                self.attribute(kind, offset.into());
            }
        }
        let stored = self.stored(resource);
        self.attribute(5, self.contents.len() as u64);
        if !resource.compressions.is_empty() {
            self.attribute(6, stored.len() as u64);
        }
        for _ in 0..=resource.repeated_sizes {
            self.attribute(7, (resource.content.len() as u64).wrapping_add(resource.size_error));
        }
        self.locations.push(0);
        self.contents.extend(stored);
    }

    fn stored(&mut self, resource: &Resource) -> Vec<u8> {
        let mut stored = resource.content.clone();
        for &method in &resource.compressions {
            let method_name = self.string(method);
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
            let packed = encoder.write_all(&stored).and_then(|()| encoder.finish()).expect("packs");
            let mut wrapped = self.order.four(0xCAFE_FAFA).to_vec();
            wrapped.extend(self.order.eight(packed.len() as u64));
            wrapped.extend(self.order.eight(stored.len() as u64));
            wrapped.extend(self.order.four(method_name));
            wrapped.extend(self.order.four(u32::MAX));
            wrapped.push(1);
            wrapped.extend(packed);
            stored = wrapped;
        }
        stored
    }

    /// Equal strings are one, as the linker has it.
    fn string(&mut self, text: &'static str) -> u32 {
        let next = u32::try_from(self.strings.len()).expect("small");
        let offset = *self.known_strings.entry(text).or_insert(next);
        if offset == next {
            self.strings.extend(text.as_bytes());
            self.strings.push(0);
        }
        offset
    }

    fn attribute(&mut self, kind: u8, value: u64) {
        let bytes = value.to_be_bytes();
        let skipped = bytes.iter().take(7).take_while(|&&byte| byte == 0).count();
        let length = u8::try_from(8 - skipped).expect("at most 8");
        self.locations.push(kind << 3 | (length - 1));
        self.locations.extend(&bytes[skipped..]);
    }
}

impl Order {
    pub(crate) fn four(self, value: u32) -> [u8; 4] {
        match self {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    fn eight(self, value: u64) -> [u8; 8] {
        match self {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }
}
