//! A network: a sparse layer, a small dense one, a value and an output for each move.
//!
//! ```text
//! a = relu(b₁ + the sum of the rows of W₁ for the active inputs)         WIDE
//! h = relu(b₂ + a · W₂)                                                  NARROW
//! value = tanh(h · v + c),    priors = softmax(h · P + d) over the legal moves
//! ```
//!
//! A few dozen of about a hundred inputs are active, so the first layer takes a few dozen additions
//! of rows, as in NNUE (Nasu, *Efficiently Updatable Neural-Network-based Evaluation Functions for
//! Computer Shogi*, 2018). The sizes are constants, so that the compiler vectorises the loops. No
//! sum depends on the width of a processor's vectors, so a file gives the same values everywhere.

use libm::{expf, tanhf};
use proofwood::Rng;

/// The number of neurons in the first layer.
pub const WIDE: usize = 128;
/// The number of neurons in the second layer.
pub const NARROW: usize = 32;

/// A network for positions of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The game with its board, as [`Planes::board`](proofwood_games::Planes::board) returns it.
    pub board: String,
    #[doc(hidden)]
    pub inputs: usize,
    #[doc(hidden)]
    pub outputs: usize,
    /// All weights, stored in the order of the fields of [`Layers`].
    #[doc(hidden)]
    pub weights: Vec<f32>,
}

/// The weights of a network, or one value for each weight, such as its gradient.
pub struct Layers<'w> {
    /// W₁: a row for each input.
    pub first: &'w [[f32; WIDE]],
    pub first_bias: &'w [f32; WIDE],
    /// W₂: a row for each neuron of the first layer.
    pub second: &'w [[f32; NARROW]],
    pub second_bias: &'w [f32; NARROW],
    /// P: a row for each move.
    pub policy: &'w [[f32; NARROW]],
    pub policy_bias: &'w [f32],
    pub value: &'w [f32; NARROW],
    pub value_bias: &'w f32,
}

/// The neurons' activations for a position.
#[derive(Clone, Debug)]
pub struct Neurons {
    pub first: [f32; WIDE],
    pub second: [f32; NARROW],
    /// The value for the side to move, from −1 (loss) to 1 (win).
    pub value: f32,
}

/// Returns the names and sizes of the layers, in the order of [`Layers`].
pub(crate) fn shapes(inputs: usize, outputs: usize) -> [(&'static str, Vec<usize>); 8] {
    [
        ("first.weight", vec![inputs, WIDE]),
        ("first.bias", vec![WIDE]),
        ("second.weight", vec![WIDE, NARROW]),
        ("second.bias", vec![NARROW]),
        ("policy.weight", vec![outputs, NARROW]),
        ("policy.bias", vec![outputs]),
        ("value.weight", vec![NARROW]),
        ("value.bias", vec![1]),
    ]
}

impl<'w> Layers<'w> {
    /// Returns the layers for `inputs` inputs and `outputs` outputs, stored consecutively in
    /// `weights`.
    #[inline]
    pub fn of(weights: &'w [f32], inputs: usize, outputs: usize) -> Layers<'w> {
        let (first, rest) = weights.split_at(inputs * WIDE);
        let (first_bias, rest) = rest.split_first_chunk().expect("a bias for each neuron");
        let (second, rest) = rest.split_at(WIDE * NARROW);
        let (second_bias, rest) = rest.split_first_chunk().expect("a bias for each neuron");
        let (policy, rest) = rest.split_at(outputs * NARROW);
        let (policy_bias, rest) = rest.split_at(outputs);
        let (value, rest) = rest.split_first_chunk().expect("a weight for each neuron");
        Layers {
            first: first.as_chunks().0,
            first_bias,
            second: second.as_chunks().0,
            second_bias,
            policy: policy.as_chunks().0,
            policy_bias,
            value,
            value_bias: &rest[0],
        }
    }

    /// Returns the first layer's sums when no input is active; [`add`](Layers::add) adds an active
    /// input.
    #[inline]
    pub fn nothing_on(&self) -> [f32; WIDE] {
        *self.first_bias
    }

    /// Adds an active input to the first layer's sums.
    #[inline]
    pub fn add(&self, sums: &mut [f32; WIDE], input: usize) {
        add_scaled(sums, &self.first[input], 1.0);
    }

    /// Evaluates the network from the first layer's sums.
    #[inline]
    pub fn think(&self, sums: &[f32; WIDE]) -> Neurons {
        let first = sums.map(relu);
        let mut second = *self.second_bias;
        for (row, &neuron) in self.second.iter().zip(&first) {
            add_scaled(&mut second, row, neuron);
        }
        let second = second.map(relu);
        let value = tanhf(dot(self.value, &second) + self.value_bias);
        Neurons { first, second, value }
    }

    /// Returns the logit of a move.
    #[inline]
    pub fn logit(&self, neurons: &Neurons, output: usize) -> f32 {
        dot(&self.policy[output], &neurons.second) + self.policy_bias[output]
    }
}

impl Network {
    /// Creates an untrained network with weights drawn from a seed.
    #[doc(hidden)]
    pub fn drawn(board: String, inputs: usize, outputs: usize, seed: u64) -> Network {
        /// The approximate number of active inputs.
        const ON: f32 = 32.0;
        let mut rng = Rng::new(seed);
        let mut weights = Vec::new();
        for (name, shape) in shapes(inputs, outputs) {
            // He et al. (2015): outputs have the same variance as inputs. The value and the priors
            // start close to 0.
            let spread = match name {
                "first.weight" => (2.0 / ON).sqrt(),
                "second.weight" => (2.0 / WIDE as f32).sqrt(),
                "policy.weight" | "value.weight" => 0.01,
                _ => 0.0,
            };
            for _ in 0..shape.iter().product() {
                weights.push(spread * bell(&mut rng));
            }
        }
        Network { board, inputs, outputs, weights }
    }

    /// Returns the weights by layer.
    #[doc(hidden)]
    #[inline]
    pub fn layers(&self) -> Layers<'_> {
        Layers::of(&self.weights, self.inputs, self.outputs)
    }

    /// Returns the network's game and board, such as `connect-four:7x6,k=4`.
    pub fn board(&self) -> &str {
        &self.board
    }
}

/// Returns a random number with mean 0 and variance 1 as the sum of three uniform numbers
/// (Irwin–Hall distribution).
fn bell(rng: &mut Rng) -> f32 {
    let even = |rng: &mut Rng| (rng.next_u64() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
    even(rng) + even(rng) + even(rng)
}

#[inline(always)]
pub(crate) fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// Adds a multiple of a row to the sums.
#[inline(always)]
pub fn add_scaled<const N: usize>(sums: &mut [f32; N], row: &[f32; N], scale: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight * scale;
    }
}

/// Returns the dot product of two rows, added up in eight lanes.
#[inline(always)]
pub fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut lanes = [0.0f32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// Applies softmax to logits in place.
#[inline]
pub fn softmax(logits: &mut [f32]) {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = expf(*logit - greatest);
        sum += *logit;
    }
    for logit in logits {
        *logit /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the neurons against the formulas at the top of this file, computed in 64 bits.
    #[test]
    fn the_neurons_follow_the_formulas() {
        let (inputs, outputs) = (20, 5);
        let mut network = Network::drawn("a game".into(), inputs, outputs, 7);
        let mut rng = Rng::new(1);
        network.weights.iter_mut().for_each(|weight| *weight += 0.2 * bell(&mut rng));
        let layers = network.layers();
        let on = [0, 3, 4, 11, 19];
        let mut sums = layers.nothing_on();
        on.iter().for_each(|&input| layers.add(&mut sums, input));
        let neurons = layers.think(&sums);

        let weights: Vec<f64> = network.weights.iter().map(|&weight| weight.into()).collect();
        let mut at = 0;
        let mut take = |count: usize| {
            at += count;
            weights[at - count..at].to_vec()
        };
        let (w1, b1) = (take(inputs * WIDE), take(WIDE));
        let (w2, b2) = (take(WIDE * NARROW), take(NARROW));
        let (p, d) = (take(outputs * NARROW), take(outputs));
        let (v, c) = (take(NARROW), take(1));
        let a: Vec<f64> = (0..WIDE)
            .map(|n| b1[n] + on.iter().map(|input| w1[input * WIDE + n]).sum::<f64>())
            .map(|sum| sum.max(0.0))
            .collect();
        let h: Vec<f64> = (0..NARROW)
            .map(|n| b2[n] + (0..WIDE).map(|m| a[m] * w2[m * NARROW + n]).sum::<f64>())
            .map(|sum| sum.max(0.0))
            .collect();
        let value = (c[0] + (0..NARROW).map(|n| h[n] * v[n]).sum::<f64>()).tanh();
        assert!((f64::from(neurons.value) - value).abs() < 1e-5, "{} {value}", neurons.value);
        for output in 0..outputs {
            let sum: f64 = (0..NARROW).map(|n| h[n] * p[output * NARROW + n]).sum();
            let logit = f64::from(layers.logit(&neurons, output));
            assert!((logit - sum - d[output]).abs() < 1e-5, "{output}: {logit}");
        }
    }

    #[test]
    fn shares_add_up_to_one_and_follow_the_logits() {
        let mut shares = [0.0, 100.0, 99.0];
        softmax(&mut shares);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((shares[1] / shares[2] - 1f32.exp()).abs() < 1e-4 && shares[0] < 1e-30);
    }
}
