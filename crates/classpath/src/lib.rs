//! Finds class files in folders, jars and JDK images.
