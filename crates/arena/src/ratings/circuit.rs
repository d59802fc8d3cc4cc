//! Solves the linear equations of the rating fit as an electric circuit.

use super::add;

/// The order in which a circuit removes the connected players, each with its neighbours at that time; the anchor is
/// last.
///
/// The player with the fewest neighbours is removed first: its neighbours become neighbours of each other, so this
/// keeps the number of links small.
pub(super) fn removals(
    players: usize,
    anchor: usize,
    connected: &[bool],
    met: &[(usize, usize)],
) -> Vec<(usize, Vec<usize>)> {
    let mut near = vec![vec![false; players]; players];
    met.iter().for_each(|&(a, b)| near[a][b] = true);
    let mut degrees: Vec<usize> = near.iter().map(|row| row.iter().filter(|&&near| near).count()).collect();
    let mut left: Vec<usize> = (0..players).filter(|&place| connected[place]).collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(at) = (0..left.len()).min_by_key(|&at| (left[at] == anchor, degrees[left[at]], left[at])) {
        let place = left.swap_remove(at);
        let around: Vec<usize> = (0..players).filter(|&other| near[place][other]).collect();
        for &a in &around {
            near[a][place] = false;
            degrees[a] -= 1;
            for &b in around.iter().filter(|&&b| b != a) {
                degrees[a] += usize::from(!std::mem::replace(&mut near[a][b], true));
            }
        }
        order.push((place, around));
    }
    order
}

/// Linear equations in the form of an electric circuit whose last node is grounded: currents flow in at the nodes, and
/// the voltages at the nodes are the solution.
///
/// Nodes are removed one by one: a star of conductors becomes a mesh among its ends. This is Gaussian elimination, but
/// without subtraction, so that it stays exact even if conductances differ by a factor of a billion.
pub(super) struct Circuit<'a> {
    later: &'a [Vec<usize>],
    /// The conductances between each node and the later ones, row by row.
    rows: Vec<f64>,
    /// The sum of the conductances between each node and all later ones.
    sums: Vec<f64>,
}

impl Circuit<'_> {
    pub fn new(later: &[Vec<usize>]) -> Circuit<'_> {
        let size = later.len() + 1;
        Circuit { later, rows: vec![0.0; size * size], sums: vec![0.0; size] }
    }

    pub fn clear(&mut self) {
        let size = self.sums.len();
        for (row, later) in self.rows.chunks_mut(size).zip(self.later) {
            later.iter().for_each(|&node| row[node] = 0.0);
        }
    }

    pub fn connect(&mut self, a: usize, b: usize, conductance: f64) {
        let size = self.sums.len();
        self.rows[a.min(b) * size + a.max(b)] += conductance;
    }

    pub fn reduce(&mut self) {
        let size = self.sums.len();
        for (node, later) in self.later.iter().enumerate() {
            let (row, rest) = self.rows[node * size..].split_at_mut(size);
            let sum: f64 = later.iter().map(|&other| row[other]).sum();
            self.sums[node] = sum;
            for (at, &a) in later.iter().enumerate() {
                let part = row[a] / sum;
                let line = &mut rest[(a - node - 1) * size..][..size];
                if 4 * later.len() > size - node {
                    // With many neighbours it is faster to update the whole row: 2.2 times for 300 players paired at
                    // random.
                    add(&mut line[a + 1..], &row[a + 1..], part);
                } else {
                    later[at + 1..].iter().for_each(|&b| line[b] += part * row[b]);
                }
            }
        }
    }

    /// How all voltages change with that of one node, and the node's voltage when a current of 1 flows in there.
    pub fn follow(&self, node: usize) -> (Vec<f64>, f64) {
        let mut currents = vec![0.0; self.sums.len()];
        currents[node] = 1.0;
        let mut tensions = self.tensions(currents);
        let own = tensions[node];
        tensions.iter_mut().for_each(|tension| *tension /= own);
        (tensions, own)
    }

    pub fn tensions(&self, mut currents: Vec<f64>) -> Vec<f64> {
        let size = self.sums.len();
        for (node, later) in self.later.iter().enumerate() {
            let (row, part) = (&self.rows[node * size..][..size], currents[node] / self.sums[node]);
            later.iter().for_each(|&other| currents[other] += part * row[other]);
        }
        currents[size - 1] = 0.0;
        for (node, later) in self.later.iter().enumerate().rev() {
            let row = &self.rows[node * size..][..size];
            let carried: f64 = later.iter().map(|&other| row[other] * currents[other]).sum();
            currents[node] = (currents[node] + carried) / self.sums[node];
        }
        currents
    }
}
