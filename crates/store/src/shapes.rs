//! The shapes of a store, found by the bytes of a class.

use crate::error::Problem;
use crate::folder::Read;
use crate::shape_pack::Pack;
use probity_shape::{ContentId, Shape};
use std::collections::HashMap;
use std::ops::Range;

/// All shapes of a store. They are taken apart when they are asked for.
#[derive(Debug, Default)]
pub struct Shapes {
    packs: Vec<Pack>,
    places: HashMap<ContentId, (usize, Range<usize>)>,
    problems: Vec<Problem>,
}

impl Shapes {
    pub(crate) fn of(files: &[Read], problems: Vec<Problem>) -> Self {
        let mut shapes = Self { problems, ..Self::default() };
        for file in files {
            match Pack::read(&file.bytes) {
                Ok(pack) => shapes.add(pack),
                Err(damage) => shapes.problems.push(Problem { file: file.path.clone(), damage }),
            }
        }
        shapes
    }

    pub(crate) fn of_pack(pack: Pack) -> Self {
        let mut shapes = Self::default();
        shapes.add(pack);
        shapes
    }

    fn add(&mut self, pack: Pack) {
        let number = self.packs.len();
        for (content, place) in &pack.places {
            self.places.entry(*content).or_insert_with(|| (number, place.clone()));
        }
        self.packs.push(pack);
    }

    /// The shape of a class with these bytes; nothing if it is not known, so that the class is compared by its bytes.
    #[must_use]
    pub fn get(&self, content: ContentId) -> Option<Shape> {
        let (pack, place) = self.places.get(&content)?;
        self.packs.get(*pack)?.shape(content, place.clone())
    }

    /// Whether there is a shape of a class with these bytes.
    #[must_use]
    pub fn contains(&self, content: ContentId) -> bool {
        self.places.contains_key(&content)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The bytes of whose classes shapes are there, in order.
    pub fn contents(&self) -> impl Iterator<Item = ContentId> {
        let mut contents: Vec<ContentId> = self.places.keys().copied().collect();
        contents.sort_unstable();
        contents.into_iter()
    }

    /// The files that could not be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}
