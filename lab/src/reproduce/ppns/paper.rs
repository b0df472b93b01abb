//! The published figures: Primanita, Khalid and Iida, *Characterizing the Nature of
//! Probability-Based Proof Number Search: A Case Study in the Othello and Connect Four Games*,
//! Information 11 (2020).

/// The numbers of positions, out of 200, that a method solved, disproved, or answered either way.
/// The first two are `None` if the paper gives only their sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) solved: Option<u32>,
    pub(crate) unsolved: Option<u32>,
    pub(crate) answered: u32,
    /// Mean seconds and nodes over all positions.
    pub(crate) means: Option<(f64, f64)>,
}

pub(crate) const POSITIONS: u32 = 200;

/// θ and pr of the six settings for Connect Four (Figure 6).
pub(crate) const CONNECT_FOUR_SETTINGS: [(f64, f64); 6] =
    [(0.01, 1e-3), (0.01, 1e-4), (0.01, 1e-5), (0.001, 1e-3), (0.001, 1e-4), (0.001, 1e-5)];

/// θ and pr for Othello (section 4.3).
pub(crate) const OTHELLO_SETTINGS: [(f64, f64); 1] = [(0.01, 1e-5)];

fn full(solved: u32, unsolved: u32) -> Row {
    let answered = solved + unsolved;
    Row { solved: Some(solved), unsolved: Some(unsolved), answered, means: None }
}

/// The figures for Connect Four after 12 plies. They are from the text next to Figure 4, and the
/// means are from Table 1.
pub(crate) fn connect_four(method: &str) -> Option<Row> {
    let sum = |answered| Row { solved: None, unsolved: None, answered, means: None };
    match method {
        "pns" => Some(sum(122)),
        "mcpns" => Some(sum(82)),
        "ppns" => Some(Row { means: Some((251.180925, 2_004_052.895)), ..sum(102) }),
        "ppns θ=0.001 pr=1e-3" => Some(Row { means: Some((174.90736, 1_269_587.96)), ..sum(135) }),
        _ => None,
    }
}

/// The figures for Othello, from Tables 2 and 3. In these tables PPNS is the paper's version with
/// pr = 10⁻⁵.
pub(crate) fn othello(plies: u32, method: &str) -> Option<Row> {
    Some(match (plies, method) {
        (18, "pns") => full(12, 1),
        (18, "mcpns") => full(5, 4),
        (26, "pns") => full(19, 16),
        (26, "mcpns") => full(10, 10),
        (32, "pns") => full(39, 39),
        (32, "mcpns") => full(6, 37),
        (18, "ppns θ=0.01 pr=1e-5") => full(52, 56),
        (22, "ppns θ=0.01 pr=1e-5") => full(60, 57),
        (26, "ppns θ=0.01 pr=1e-5") => full(63, 88),
        (32, "ppns θ=0.01 pr=1e-5") => full(82, 91),
        (36, "ppns θ=0.01 pr=1e-5") => full(97, 94),
        (40, "ppns θ=0.01 pr=1e-5") => full(83, 117),
        _ => return None,
    })
}
