//! Packed archives, for tests of more than one program.

use std::io::Write;

use rawzip::{CompressionMethod, ZipArchiveWriter};

/// An archive with these members, packed.
pub(crate) fn packed_archive<N: AsRef<str>, C: AsRef<[u8]>>(members: &[(N, C)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in members {
        let file = writer.new_file(name.as_ref()).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().expect("starts a member");
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::best());
        let mut data = config.wrap(encoder);
        data.write_all(content.as_ref()).expect("writes a member");
        let (encoder, descriptor) = data.finish().expect("ends the data");
        encoder.finish().expect("ends the packed data");
        entry.finish(descriptor).expect("ends a member");
    }
    writer.finish().expect("ends the archive");
    bytes
}
