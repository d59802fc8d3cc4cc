//! Writes a genome as one line of text, and reads it.
//!
//! `genome 2 1 nodes tanh identity 57 12 31 | 2:0.25 3:0 | 0:0>2:0.5:split 1:1>2:-1 2:0>3:1 3:3>2:0.5` means: two
//! inputs, one output, biases in nodes (or `input`), the activations of hidden nodes and of outputs; the genome's
//! number and its parents'; then nodes as number:bias, then connections as innovation:from>to:weight, with `split` or
//! `retired` after those that are off.

use super::genome::{ConnectionGene, Genome, Layout, NodeGene, Status};
use super::phenotype::network;
use crate::shape::checked_sizes;
use crate::{Activation, Network, Shape};
use rustc_hash::FxHashSet;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a genome: what was found, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenomeError(pub String);

impl fmt::Display for GenomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GenomeError {}

/// What is needed to make a network from a genome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blueprint {
    /// The numbering of nodes.
    pub layout: Layout,
    /// The activation function of hidden nodes.
    pub hidden: Activation,
    /// The activation function of outputs.
    pub output: Activation,
}

impl Blueprint {
    /// The network of a genome.
    pub fn network(&self, genome: &Genome) -> Network {
        network(genome, &self.layout, self.hidden, self.output)
    }
}

impl Genome {
    /// The genome as one line.
    pub fn to_text(&self, blueprint: &Blueprint) -> String {
        let Blueprint { layout, hidden, output } = blueprint;
        let Shape { inputs, outputs } = layout.shape;
        let bias = if layout.bias_input { "input" } else { "nodes" };
        let [one, two] = self.parents;
        let nodes: Vec<String> = self.nodes.iter().map(|node| format!("{}:{}", node.number, node.bias)).collect();
        let connection = |gene: &ConnectionGene| {
            let ConnectionGene { innovation, from, to, weight, status } = gene;
            let off = match status {
                Status::On => "",
                Status::Split => ":split",
                Status::Retired => ":retired",
            };
            format!("{innovation}:{from}>{to}:{weight}{off}")
        };
        let connections: Vec<String> = self.connections.iter().map(connection).collect();
        format!(
            "genome {inputs} {outputs} {bias} {hidden} {output} {} {one} {two} | {} | {}",
            self.number,
            nodes.join(" "),
            connections.join(" ")
        )
    }

    /// Reads a line and checks that it is a valid genome.
    pub fn from_text(text: &str) -> Result<(Blueprint, Genome), GenomeError> {
        let refuse = |why: String| Err(GenomeError(why));
        let parts: Vec<&str> = text.trim().split('|').collect();
        let [head, nodes, connections] = parts[..] else {
            return refuse(format!(
                "the genome has {} parts, but it must have three: head, nodes and connections, with bars between; it may be cut short",
                parts.len()
            ));
        };
        // 1. The head.
        let head: Vec<&str> = head.split_whitespace().collect();
        let ["genome", inputs, outputs, bias, hidden, output, number, one, two] = head[..] else {
            return refuse(format!(
                "`{}` is not the beginning of a genome; expected for example `genome 2 1 nodes tanh identity 57 12 31`",
                head.join(" ")
            ));
        };
        let bias_input = match bias {
            "input" => true,
            "nodes" => false,
            _ => {
                return refuse(format!("the place of biases is `{bias}`, but it must be `nodes` or `input`"));
            }
        };
        let activation = |text: &str| {
            text.parse().map_err(|()| {
                GenomeError(format!("`{text}` is no activation; the activations are {}", Activation::NAMES.join(", ")))
            })
        };
        let (hidden, output) = (activation(hidden)?, activation(output)?);
        const MOST: usize = 1 << 16;
        let (inputs, outputs): (usize, usize) = (read(inputs)?, read(outputs)?);
        if inputs > MOST || outputs > MOST || connections.len() > 64 * MOST || nodes.len() > 16 * MOST {
            return refuse(format!(
                "the genome is too large; it may have up to {MOST} inputs, outputs and connections"
            ));
        }
        let layout = Layout { shape: Shape { inputs, outputs }, bias_input };
        // 2. The nodes.
        let mut genome = Genome {
            number: read(number)?,
            parents: [read(one)?, read(two)?],
            nodes: Vec::new(),
            connections: Vec::new(),
        };
        for word in nodes.split_whitespace() {
            let Some((number, bias)) = word.split_once(':') else {
                return refuse(format!("`{word}` is no node; expected number:bias, as in `2:0.25`"));
            };
            genome.nodes.push(NodeGene { number: read(number)?, bias: read_value(bias)? });
        }
        // 3. The connections.
        for word in connections.split_whitespace() {
            genome.connections.push(read_connection(word)?);
        }
        genome.checked(&layout).map_err(GenomeError)?;
        Ok((Blueprint { layout, hidden, output }, genome))
    }

    /// Checks that this is a valid genome for the layout; the error says what is wrong.
    pub(crate) fn checked(&self, layout: &Layout) -> Result<(), String> {
        if layout.shape.inputs == 0 || layout.shape.outputs == 0 {
            return Err("the genome has no inputs or no outputs".to_string());
        }
        checked_sizes(layout.shape.inputs, self.nodes.len(), self.connections.len())?;
        let values = self.nodes.iter().map(|node| node.bias).chain(self.connections.iter().map(|gene| gene.weight));
        if let Some(value) = values.into_iter().find(|value| !value.is_finite()) {
            return Err(format!("a weight or bias of the genome is {value}, which is not a number"));
        }
        for pair in self.nodes.windows(2) {
            if pair[0].number >= pair[1].number {
                let (one, two) = (pair[0].number, pair[1].number);
                return Err(format!("node {two} follows node {one}; nodes must be in order, each once"));
            }
        }
        if let Some(missing) = layout.outputs().find(|output| !self.has_node(*output)) {
            return Err(format!("node {missing}, an output, is missing"));
        }
        if let Some(node) = self.nodes.iter().find(|node| node.number < layout.sources()) {
            return Err(format!("node {} is an input and has no gene", node.number));
        }
        for pair in self.connections.windows(2) {
            let (one, two) = (pair[0].innovation, pair[1].innovation);
            if one == two {
                return Err(format!("innovation {one} is there twice"));
            }
            if one > two {
                return Err(format!("innovation {two} follows {one}; innovations must be in order"));
            }
        }
        let mut ends = FxHashSet::default();
        for gene in &self.connections {
            let ConnectionGene { innovation, from, to, .. } = *gene;
            if !(from < layout.sources() || self.has_node(from) && !layout.outputs().contains(&from)) {
                return Err(format!(
                    "connection {innovation} comes from node {from}, which is no input or hidden node of the genome"
                ));
            }
            if !self.has_node(to) {
                return Err(format!("connection {innovation} goes to node {to}, which is no node of the genome"));
            }
            if !ends.insert((from, to)) {
                return Err(format!("two connections go from node {from} to node {to}"));
            }
        }
        match self.loop_of() {
            Some(gene) => {
                Err(format!("connection {} from node {} to node {} closes a loop", gene.innovation, gene.from, gene.to))
            }
            None => Ok(()),
        }
    }
}

fn read_connection(word: &str) -> Result<ConnectionGene, GenomeError> {
    let refuse =
        || GenomeError(format!("`{word}` is no connection; expected innovation:from>to:weight, as in `0:0>2:0.5`"));
    let parts: Vec<&str> = word.split(':').collect();
    let (innovation, ends, weight, status) = match parts[..] {
        [innovation, ends, weight] => (innovation, ends, weight, Status::On),
        [innovation, ends, weight, "split"] => (innovation, ends, weight, Status::Split),
        [innovation, ends, weight, "retired"] => (innovation, ends, weight, Status::Retired),
        _ => return Err(refuse()),
    };
    let (from, to) = ends.split_once('>').ok_or_else(refuse)?;
    Ok(ConnectionGene {
        innovation: read(innovation)?,
        from: read(from)?,
        to: read(to)?,
        weight: read_value(weight)?,
        status,
    })
}

fn read<T: FromStr>(text: &str) -> Result<T, GenomeError> {
    text.parse().map_err(|_| GenomeError(format!("`{text}` is in the genome where a whole number is expected")))
}

fn read_value(text: &str) -> Result<f32, GenomeError> {
    match text.parse() {
        Ok(value) if f32::is_finite(value) => Ok(value),
        _ => Err(GenomeError(format!("`{text}` is in the genome where a number is expected"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "genome 2 1 nodes tanh identity 57 12 31 | 2:0.25 3:0 | 0:0>2:0.5:split 1:1>2:-1 2:0>3:1 3:3>2:0.5";

    #[test]
    fn text_goes_both_ways() {
        for line in [LINE, "genome 2 1 input steep:4.9 bilateral:1 1 0 0 | 3:0 4:0 | 0:2>3:1e-7 4:4>3:-3:retired"] {
            let (layout, genome) = Genome::from_text(line).unwrap();
            let text = genome.to_text(&layout);
            assert_eq!(Genome::from_text(&text), Ok((layout, genome)));
        }
        let (layout, genome) = Genome::from_text(LINE).unwrap();
        assert_eq!(genome.to_text(&layout), LINE);
    }

    #[test]
    fn text_that_is_no_genome() {
        let check = |from: &str, to: &str, why: &str| {
            assert!(LINE.contains(from), "{from}");
            let error = Genome::from_text(&LINE.replacen(from, to, 1)).unwrap_err().0;
            assert!(error.contains(why), "{error}");
        };
        check(" | 0:0>2:0.5:split 1:1>2:-1 2:0>3:1 3:3>2:0.5", "", "2 parts, but it must have three");
        check("3:3>2:0.5", "3:3>2", "`3:3>2` is no connection");
        check(
            "3:3>2:0.5",
            "3:7>2:0.5",
            "connection 3 comes from node 7, which is no input or hidden node of the genome",
        );
        check("3:3>2:0.5", "3:3>9:0.5", "connection 3 goes to node 9, which is no node of the genome");
        check("2:0>3:1 3:3>2:0.5", "2:0>3:1 3:3>3:0.5", "connection 3 from node 3 to node 3 closes a loop");
        check("3:3>2:0.5", "2:3>2:0.5", "innovation 2 is there twice");
        check("3:3>2:0.5", "1:3>2:0.5", "innovation 1 follows 2");
        check("3:3>2:0.5", "3:0>3:0.5", "two connections go from node 0 to node 3");
        check("2:0.25", "2:NaN", "`NaN` is in the genome where a number is expected");
        check("1:1>2:-1", "1:1>2:x", "`x` is in the genome where a number is expected");
        check("2:0.25 3:0", "3:0", "node 2, an output, is missing");
        check("2:0.25 3:0", "2:0.25 2:0", "node 2 follows node 2");
        check("2:0.25 3:0", "1:1 2:0.25 3:0", "node 1 is an input and has no gene");
        check("genome", "gnome", "is not the beginning of a genome");
        check("nodes", "edges", "the place of biases is `edges`, but it must be `nodes` or `input`");
        check("tanh", "tan", "`tan` is no activation");
        check("57", "x", "`x` is in the genome where a whole number is expected");
        let hidden_loop = "genome 1 1 nodes relu relu 1 0 0 | 1:0 2:0 3:0 | 0:0>1:1 1:2>3:1 2:3>2:1 3:3>1:1";
        assert!(Genome::from_text(hidden_loop).unwrap_err().0.contains("closes a loop"));
        assert!(Genome::from_text("").is_err());
        check("genome 2 1", "genome 18446744073709551615 1", "the genome is too large");
        check("genome 2 1", "genome 2 1099511627776", "the genome is too large");
        check("2:0.25 3:0", "2:0.25 4294967295:0", "connection 2 goes to node 3, which is no node of the genome");
    }

    /// Loops are found however many connections lead to them, and the error names the loop's first connection.
    #[test]
    fn loops_among_many_connections() {
        let count = 20_000;
        let nodes: Vec<String> = (1..=count).map(|node| format!("{node}:0")).collect();
        let way = (2..count).map(|node| format!("{node}:{node}>{}:1", node + 1));
        let connections: Vec<String> = way.chain([format!("{count}:{count}>15000:1")]).collect();
        let text = format!("genome 1 1 nodes relu relu 1 0 0 | {} | {}", nodes.join(" "), connections.join(" "));
        let error = Genome::from_text(&text).unwrap_err().0;
        assert_eq!(error, "connection 15000 from node 15000 to node 15001 closes a loop");
    }

    /// A chain of many nodes becomes a network without deep recursion, and very large weights stay finite.
    #[test]
    fn long_and_large_genomes_become_networks() {
        let count = 60_000;
        let nodes: Vec<String> = (1..=count).map(|node| format!("{node}:0")).collect();
        let way = (2..count).map(|node| format!("{node}:{node}>{}:1", node + 1));
        let ends = [format!("{}:0>2:1", count), format!("{}:{count}>1:1", count + 1)];
        let connections: Vec<String> = way.chain(ends).collect();
        let text = format!("genome 1 1 nodes relu relu 1 0 0 | {} | {}", nodes.join(" "), connections.join(" "));
        let small_stack = std::thread::Builder::new().stack_size(256 * 1024);
        let hidden = small_stack.spawn(move || text.parse::<Network>().unwrap().hidden()).unwrap().join().unwrap();
        assert_eq!(hidden, count - 1);
        for weight in ["3e38", "-3e38"] {
            let text = format!(
                "genome 1 1 input identity identity 1 0 0 | 2:{weight} 3:3e38 4:3e38 | 0:0>2:1 1:1>2:{weight} 2:3>2:{weight} 3:4>2:-{weight}"
            );
            let network: Network = text.replace("--", "").parse().unwrap();
            assert_eq!(network.to_string().parse(), Ok(network));
        }
    }
}
