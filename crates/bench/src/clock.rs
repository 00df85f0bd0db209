//! The clock of the benchmarks: the processor time of the measuring thread.
//!
//! Other programs on the machine make a thread wait, and waiting is not what is measured. Where there is no such clock
//! it is the time on the wall.

use std::time::Duration;

/// A point in the thread's own time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment(imp::Moment);

impl Moment {
    pub(crate) fn now() -> Self {
        Moment(imp::now())
    }

    /// How much processor time the thread has used since.
    pub(crate) fn elapsed(self) -> Duration {
        imp::between(self.0, imp::now())
    }
}

#[cfg(unix)]
mod imp {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub(super) type Moment = Duration;

    pub(super) fn now() -> Moment {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        // The clock starts at nought with the thread and never goes back.
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    }

    pub(super) fn between(start: Moment, end: Moment) -> Duration {
        end.saturating_sub(start)
    }
}

#[cfg(not(unix))]
mod imp {
    use std::time::{Duration, Instant};

    pub(super) type Moment = Instant;

    pub(super) fn now() -> Moment {
        Instant::now()
    }

    pub(super) fn between(start: Moment, end: Moment) -> Duration {
        end.duration_since(start)
    }
}
