//! Finds the JDKs and the Maven of this machine.
