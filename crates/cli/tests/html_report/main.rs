//! The HTML report as people meet it: written by the command, opened in a real browser.
//!
//! What is right is not written down here: marks and numbers are compared with JaCoCo's own XML of the same run, and every link
//! of every page is followed. Pictures of the pages are left in cargo's temporary folder, to be looked at.

mod large;
mod links;
mod pages;
mod shop;
mod units;
