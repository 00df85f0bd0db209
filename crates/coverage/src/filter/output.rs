//! What filters say of a body: what is ignored, what counts as one, and whose branches are other ones.

/// Branches that stand in place of an instruction's own: for each, the branches of instructions that make it taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replacement {
    branches: Vec<(usize, Vec<(usize, u32)>)>,
}

impl Replacement {
    /// Makes the branch of a key taken when a branch of an instruction is. Keys are nodes; a key is added once.
    pub(crate) fn add(&mut self, key: usize, instruction: usize, branch: u32) {
        match self.branches.iter_mut().find(|(found, _)| *found == key) {
            Some((_, taken_by)) => taken_by.push((instruction, branch)),
            None => self.branches.push((key, vec![(instruction, branch)])),
        }
    }

    pub(crate) fn branches(&self) -> impl Iterator<Item = &[(usize, u32)]> {
        self.branches.iter().map(|(_, taken_by)| taken_by.as_slice())
    }
}

/// What all filters together say of a body. It can be used for one body after another, to keep its memory.
#[derive(Debug, Default)]
pub(crate) struct FilterOutput {
    ignored: Vec<bool>,
    merges: Vec<(usize, usize)>,
    replacements: Vec<(usize, Replacement)>,
}

impl FilterOutput {
    /// Forgets what was said, for a body with this number of nodes.
    pub(crate) fn start(&mut self, nodes: usize) {
        self.ignored.clear();
        self.ignored.resize(nodes, false);
        self.merges.clear();
        self.replacements.clear();
    }

    /// Leaves out the nodes from one to another, both included.
    pub(crate) fn ignore(&mut self, from: usize, to: usize) {
        if let Some(nodes) = self.ignored.get_mut(from..=to.max(from)) {
            nodes.fill(true);
        }
    }

    pub(crate) fn ignore_all(&mut self) {
        self.ignored.fill(true);
    }

    /// Makes two instructions count as one, the first.
    pub(crate) fn merge(&mut self, first: usize, second: usize) {
        self.merges.push((first, second));
    }

    /// Gives an instruction other branches; a later replacement takes the place of an earlier one.
    pub(crate) fn replace(&mut self, instruction: usize, replacement: Replacement) {
        self.replacements.retain(|(found, _)| *found != instruction);
        self.replacements.push((instruction, replacement));
    }

    pub(crate) fn is_ignored(&self, node: usize) -> bool {
        self.ignored.get(node) == Some(&true)
    }

    pub(crate) fn merges(&self) -> &[(usize, usize)] {
        &self.merges
    }

    pub(crate) fn replacements(&self) -> &[(usize, Replacement)] {
        &self.replacements
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_ignored_with_both_ends_and_nothing_beyond_the_body() {
        let mut out = FilterOutput::default();
        out.start(4);
        out.ignore(1, 2);
        out.ignore(3, 9);
        assert_eq!([0, 1, 2, 3, 4].map(|node| out.is_ignored(node)), [false, true, true, false, false]);
    }

    #[test]
    fn a_key_is_one_branch_and_a_later_replacement_wins() {
        let mut replacement = Replacement::default();
        replacement.add(7, 1, 0);
        replacement.add(8, 1, 1);
        replacement.add(7, 2, 1);
        let branches: Vec<_> = replacement.branches().collect();
        assert_eq!(branches, [&[(1, 0), (2, 1)][..], &[(1, 1)]]);
        let mut out = FilterOutput::default();
        out.start(4);
        out.replace(1, Replacement::default());
        out.replace(1, replacement.clone());
        assert_eq!(out.replacements(), [(1, replacement)]);
    }
}
