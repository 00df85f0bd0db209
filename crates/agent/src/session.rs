//! The session under which execution data is written: its name and when it started.

use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A session.
#[derive(Debug)]
pub(crate) struct Session {
    id: String,
    start_millis: AtomicI64,
}

impl Session {
    /// Starts a session now, under the given name or one made of the host's name and a random number.
    pub(crate) fn start(id: Option<&str>) -> Self {
        let id = id.map_or_else(|| format!("{}-{:x}", host_name(), random()), str::to_owned);
        Self { id, start_millis: AtomicI64::new(now_millis()) }
    }

    /// Starts the session again: what was recorded before no longer belongs to it.
    pub(crate) fn restart(&self) {
        self.start_millis.store(now_millis(), Ordering::Relaxed);
    }

    /// Writes the session as of now.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let start = self.start_millis.load(Ordering::Relaxed);
        probity_execdata::write_session(out, &self.id, start, now_millis());
    }
}

fn now_millis() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// The name of this machine as its kernel knows it.
fn host_name() -> String {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = kernel.or_else(|| std::env::var("HOSTNAME").ok()).map(|name| name.trim().to_owned());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknownhost".to_owned())
}

/// A random number; it only has to differ between JVMs.
fn random() -> u32 {
    std::hash::RandomState::new().build_hasher().finish() as u32
}
