//! Reads and rewrites JVM class files without loss.
