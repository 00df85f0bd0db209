//! Files are locked so that JVMs and this crate wait for each other.
//!
//! The JVM takes its lock as JaCoCo's agent does. The order in which data arrives proves who waited.

use std::fs;
use std::thread;
use std::time::Duration;

use probity_execdata::file::{LockedFile, append, open_for_check, overwrite};
use probity_test_support::java::test_jdks;

use crate::conversation::Conversation;

const A_WHILE: Duration = Duration::from_millis(400);

#[test]
fn writers_wait_for_a_jvm_that_has_the_lock() {
    for jdk in test_jdks() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("x.exec");
        let mut jvm = Conversation::start(&jdk, "HoldLock", &[], path.as_os_str());
        assert_eq!(jvm.ask("l"), "locked", "{jdk}");
        thread::scope(|scope| {
            let writer = scope.spawn(|| append(&path, b"rust"));
            thread::sleep(A_WHILE);
            assert!(!writer.is_finished(), "{jdk}: it writes in spite of the lock");
            assert_eq!(jvm.ask("w"), "written");
            assert_eq!(jvm.ask("c"), "closed");
            writer.join().expect("no panic").expect("appends");
        });
        assert_eq!(fs::read(&path).expect("is there"), b"javarust", "{jdk}");
    }
}

#[test]
fn also_those_that_replace_or_only_look_wait() {
    let jdk = &test_jdks()[0];
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("x.exec");
    for (content, replaces) in [("new", true), ("", false)] {
        let mut jvm = Conversation::start(jdk, "HoldLock", &[], path.as_os_str());
        assert_eq!(jvm.ask("l"), "locked");
        thread::scope(|scope| {
            let writer = scope.spawn(|| match replaces {
                true => overwrite(&path, content.as_bytes()),
                false => open_for_check(&path, true),
            });
            assert_eq!(jvm.ask("w"), "written");
            thread::sleep(A_WHILE);
            assert!(!writer.is_finished());
            assert!(
                fs::read(&path).expect("is there").ends_with(b"java"),
                "nothing is removed before it is its turn"
            );
            assert_eq!(jvm.ask("c"), "closed");
            writer.join().expect("no panic").expect("succeeds");
        });
        assert_eq!(fs::read_to_string(&path).expect("is there"), content);
    }
}

#[test]
fn a_jvm_waits_for_a_writer_that_has_the_lock() {
    for jdk in test_jdks() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("x.exec");
        let mut jvm = Conversation::start(&jdk, "HoldLock", &[], path.as_os_str());
        let mut file = LockedFile::open(&path).expect("opens");
        assert_eq!(jvm.ask("t"), "held by another", "{jdk}");
        jvm.send("l");
        assert!(jvm.is_silent_for(A_WHILE), "{jdk}: it takes the lock in spite of ours");
        file.append(b"rust").expect("appends");
        drop(file);
        assert_eq!(jvm.answer(), "locked", "{jdk}");
        assert_eq!(jvm.ask("w"), "written");
        assert_eq!(fs::read(&path).expect("is there"), b"rustjava", "{jdk}");
    }
}
