//! Sums over blocks of rows by a fixed tree, in any parts.
//!
//! Block `i` is the node `i` of level 0; node `i` of level `l + 1` is the sum of the nodes `2 i` and `2 i + 1` of level `l`.
//! Whatever parts the blocks come in, the same nodes are formed, so the sums have the same bits.

/// One node: sums over the blocks `index << level .. (index + 1) << level`.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) level: u32,
    pub(crate) index: usize,
    pub(crate) sums: Vec<f64>,
}

impl Node {
    pub(crate) fn first_block(&self) -> usize {
        self.index << self.level
    }

    pub(crate) fn end_block(&self) -> usize {
        (self.index + 1) << self.level
    }
}

/// The largest nodes that can be formed from the blocks so far, in order; neighbours in the list are neighbours in the rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
    /// Buffers to be used again.
    spare: Vec<Vec<f64>>,
}

impl Forest {
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A buffer of this length; what it holds is not defined.
    pub(crate) fn buffer(&mut self, length: usize) -> Vec<f64> {
        match self.spare.pop() {
            Some(mut buffer) => {
                buffer.resize(length, 0.0);
                buffer
            }
            None => vec![0.0; length],
        }
    }

    /// Adds the node that follows, and forms all sums that can be.
    pub(crate) fn push(&mut self, mut node: Node) {
        debug_assert!(self.nodes.last().is_none_or(|last| last.end_block() == node.first_block()));
        while let Some(left) = self.nodes.pop_if(|left| left.level == node.level && left.index % 2 == 0) {
            for (right, left) in node.sums.iter_mut().zip(&left.sums) {
                *right += left;
            }
            node.level += 1;
            node.index /= 2;
            self.spare.push(left.sums);
        }
        self.nodes.push(node);
    }

    /// The sum of everything, if all blocks from 0 on are there: nodes without a right neighbour go up as they are.
    pub(crate) fn finish(&mut self, length: usize) -> Vec<f64> {
        let Some(last) = self.nodes.pop() else { return vec![0.0; length] };
        let mut sums = last.sums;
        while let Some(left) = self.nodes.pop() {
            for (right, left) in sums.iter_mut().zip(&left.sums) {
                *right += left;
            }
            self.spare.push(left.sums);
        }
        sums
    }

    pub(crate) fn into_nodes(self) -> impl Iterator<Item = Node> {
        self.nodes.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(i: usize) -> Node {
        // Sums of these depend on the order of the additions.
        Node { level: 0, index: i, sums: vec![1.0 / (i as f64 + 1.0), (i as f64 * 1.7).sin() * 1e8] }
    }

    /// The definition, as a recursion.
    fn direct(level: u32, index: usize, blocks: usize) -> Option<Vec<f64>> {
        if index << level >= blocks {
            return None;
        }
        if level == 0 {
            return Some(block(index).sums);
        }
        let left = direct(level - 1, 2 * index, blocks)?;
        Some(match direct(level - 1, 2 * index + 1, blocks) {
            Some(right) => left.iter().zip(right).map(|(l, r)| l + r).collect(),
            None => left,
        })
    }

    #[test]
    fn the_sum_is_that_of_the_tree_however_the_blocks_are_cut() {
        for blocks in 1..70 {
            let expected = direct(8, 0, blocks).unwrap();
            for cut in 0..blocks {
                let mut left = Forest::default();
                (0..cut).for_each(|i| left.push(block(i)));
                let mut right = Forest::default();
                (cut..blocks).for_each(|i| right.push(block(i)));
                right.nodes.into_iter().for_each(|node| left.push(node));
                assert_eq!(left.finish(2), expected, "{blocks} blocks cut at {cut}");
            }
        }
    }

    #[test]
    fn no_block_gives_zeros() {
        assert_eq!(Forest::default().finish(2), [0.0, 0.0]);
    }
}
