//! Where the agent's library is, for tests of more than one program.

use std::path::PathBuf;

/// The agent's library, which cargo builds beside the executable of a test.
pub(crate) fn agent_library() -> PathBuf {
    let executable = std::env::current_exe().expect("the test knows itself");
    let library = executable.with_file_name("libprobity_agent.so");
    assert!(library.is_file(), "{} is not there", library.display());
    library
}
