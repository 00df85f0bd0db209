//! No content makes reading panic, and a file is read from memory and from a stream alike.

use fastrand::Rng;
use probity_execdata::format::{Block, Blocks, ReadError};
use probity_execdata::remote::{self, Reader, RemoteError};
use probity_execdata::store::Store;

use crate::random;

const FILES: u64 = 20_000;

/// What was read from a stream, and how it ended.
fn read_stream(content: &[u8]) -> (Vec<remote::Block>, Option<ReadError>) {
    let mut reader = Reader::new(content);
    let mut blocks = Vec::new();
    loop {
        match reader.next_block() {
            Ok(Some(block)) => blocks.push(block),
            Ok(None) => return (blocks, None),
            Err(RemoteError::Data(error)) => return (blocks, Some(error)),
            Err(error) => panic!("memory does not fail: {error}"),
        }
    }
}

/// The same for a file; it ends at commands, which it does not have.
fn read_file(content: &[u8]) -> (Vec<remote::Block>, Option<ReadError>) {
    let (mut blocks, mut end) = (Vec::new(), None);
    for block in Blocks::new(content) {
        match block {
            Ok(Block::Session(session)) => {
                let mut store = Store::default();
                store.add_session(&session);
                blocks.extend(store.sessions().into_iter().cloned().map(remote::Block::Session));
            }
            Ok(Block::Class(class)) => {
                let mut store = Store::default();
                store.add_class(&class).expect("is the first");
                blocks.extend(store.classes().cloned().map(remote::Block::Class));
            }
            Err(error) => end = Some(error),
        }
    }
    (blocks, end)
}

#[test]
fn damaged_files_are_read_without_panic_and_alike() {
    let (mut refused, mut commands) = (0, 0);
    for seed in 0..FILES {
        let rng = &mut Rng::with_seed(seed);
        let mut content = random::content(rng, random::Ids::Few);
        random::damage(rng, &mut content);
        let _ = Store::default().load(&content);
        let from_file = read_file(&content);
        let from_stream = read_stream(&content);
        refused += usize::from(from_file.1.is_some());
        let has_command =
            |block: &remote::Block| matches!(block, remote::Block::Ok | remote::Block::DumpCommand { .. });
        if from_stream.0.iter().any(has_command) {
            commands += 1;
        } else if !is_cut_command(&from_file.1) {
            assert_eq!(from_file, from_stream, "seed {seed}");
        }
    }
    assert!(refused > FILES as usize / 10, "{refused} refused");
    assert!(commands < FILES as usize / 10, "{commands} with commands");
}

/// Whether a file ends at what would be a command in a stream.
fn is_cut_command(end: &Option<ReadError>) -> bool {
    use probity_execdata::format::ReadErrorKind::UnknownBlock;
    end.as_ref().is_some_and(|error| matches!(error.kind, UnknownBlock { block_type: 0x20 | 0x40 }))
}

#[test]
fn noise_behind_a_header_is_read_without_panic() {
    for seed in 0..FILES {
        let rng = &mut Rng::with_seed(seed);
        let mut content = vec![0x01, 0xC0, 0xC0, 0x10, 0x07];
        // Mostly small numbers, so that lengths often fit.
        content.extend((0..rng.usize(..60)).map(|_| if rng.bool() { rng.u8(..0x14) } else { rng.u8(..) }));
        let (blocks, end) = read_stream(&content);
        assert!(blocks.len() <= content.len());
        assert!(end.is_none_or(|error| error.offset <= content.len() as u64), "seed {seed}");
        let _ = Store::default().load(&content);
    }
}
