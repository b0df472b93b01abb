//! Training on positions: the gradient of the network's error, and Adam.
//!
//! The error of a position is AlphaZero's without its last term (Silver et al. 2017, equation 1):
//! (z − v)² − π · ln p, for the value *z* and the shares of moves *π* that the search found.
//! Everything runs on one thread in one order, so the same positions and the same seed give the
//! same weights, bit for bit.

use proofwood_nets::network::{Layers, NARROW, Network, Neurons, WIDE, add_scaled, dot, softmax};

/// A position, with the answers that the network should learn to give.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lesson {
    /// The active inputs of the network.
    pub(crate) inputs: Vec<u16>,
    /// Each legal move's output, and its share of the search's visits.
    pub(crate) policy: Vec<(u16, f32)>,
    /// The position's value for the side to move, from −1 to 1.
    pub(crate) value: f32,
}

/// The mean error of a network's values and of its priors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The error of values: the mean of (z − v)².
    pub value: f64,
    /// The error of priors: the mean of −π · ln p, minus its value for p = π.
    pub policy: f64,
}

/// The gradient of a sum of errors, and that sum.
#[derive(Clone, Debug)]
pub(crate) struct Gradient {
    weights: Vec<f32>,
    loss: Loss,
}

/// The parts of a gradient, in the order of [`Layers`].
struct Parts<'g> {
    first: &'g mut [[f32; WIDE]],
    first_bias: &'g mut [f32; WIDE],
    second: &'g mut [[f32; NARROW]],
    second_bias: &'g mut [f32; NARROW],
    policy: &'g mut [[f32; NARROW]],
    policy_bias: &'g mut [f32],
    value: &'g mut [f32; NARROW],
    value_bias: &'g mut f32,
}

impl<'g> Parts<'g> {
    fn of(weights: &'g mut [f32], inputs: usize, outputs: usize) -> Parts<'g> {
        let (first, rest) = weights.split_at_mut(inputs * WIDE);
        let (first_bias, rest) = rest.split_first_chunk_mut().expect("a bias for each neuron");
        let (second, rest) = rest.split_at_mut(WIDE * NARROW);
        let (second_bias, rest) = rest.split_first_chunk_mut().expect("a bias for each neuron");
        let (policy, rest) = rest.split_at_mut(outputs * NARROW);
        let (policy_bias, rest) = rest.split_at_mut(outputs);
        let (value, rest) = rest.split_first_chunk_mut().expect("a weight for each neuron");
        Parts {
            first: first.as_chunks_mut().0,
            first_bias,
            second: second.as_chunks_mut().0,
            second_bias,
            policy: policy.as_chunks_mut().0,
            policy_bias,
            value,
            value_bias: &mut rest[0],
        }
    }
}

impl Gradient {
    pub(crate) fn of(network: &Network) -> Gradient {
        Gradient { weights: vec![0.0; network.weights.len()], loss: Loss::default() }
    }

    /// Adds the gradient of a position's error; returns the error.
    pub(crate) fn add(&mut self, network: &Network, lesson: &Lesson) -> Loss {
        let layers = network.layers();
        let (neurons, priors) = answer(&layers, lesson);
        let loss = error(neurons.value, &priors, lesson);
        let parts = Parts::of(&mut self.weights, network.inputs, network.outputs);
        // d tanh(x) / dx = 1 − tanh²(x).
        let value = 2.0 * (neurons.value - lesson.value) * (1.0 - neurons.value * neurons.value);
        add_scaled(parts.value, &neurons.second, value);
        *parts.value_bias += value;
        let mut second = layers.value.map(|weight| weight * value);
        for (&(output, share), &prior) in lesson.policy.iter().zip(&priors) {
            let (output, logit) = (usize::from(output), prior - share);
            add_scaled(&mut parts.policy[output], &neurons.second, logit);
            parts.policy_bias[output] += logit;
            add_scaled(&mut second, &layers.policy[output], logit);
        }
        mask(&mut second, &neurons.second);
        add_scaled(parts.second_bias, &second, 1.0);
        let mut first = [0.0; WIDE];
        for (number, &neuron) in neurons.first.iter().enumerate() {
            if neuron > 0.0 {
                add_scaled(&mut parts.second[number], &second, neuron);
                first[number] = dot(&layers.second[number], &second);
            }
        }
        add_scaled(parts.first_bias, &first, 1.0);
        for &input in &lesson.inputs {
            add_scaled(&mut parts.first[usize::from(input)], &first, 1.0);
        }
        self.loss.value += loss.value;
        self.loss.policy += loss.policy;
        loss
    }
}

/// Sets the gradient to 0 at neurons that are off.
fn mask<const N: usize>(gradient: &mut [f32; N], neurons: &[f32; N]) {
    for (part, &neuron) in gradient.iter_mut().zip(neurons) {
        *part = if neuron > 0.0 { *part } else { 0.0 };
    }
}

/// The network's activations for a position, and the priors of its moves.
fn answer(layers: &Layers<'_>, lesson: &Lesson) -> (Neurons, Vec<f32>) {
    let mut sums = layers.nothing_on();
    lesson.inputs.iter().for_each(|&input| layers.add(&mut sums, input.into()));
    let neurons = layers.think(&sums);
    let logit = |&(output, _): &(u16, f32)| layers.logit(&neurons, output.into());
    let mut priors: Vec<f32> = lesson.policy.iter().map(logit).collect();
    softmax(&mut priors);
    (neurons, priors)
}

fn error(value: f32, priors: &[f32], lesson: &Lesson) -> Loss {
    let policy = lesson.policy.iter().zip(priors).filter(|((_, share), _)| *share > 0.0);
    let policy = policy.map(|(&(_, share), &prior)| {
        let (share, prior) = (f64::from(share), f64::from(prior));
        share * (libm::log(share) - libm::log(prior.max(1e-30)))
    });
    Loss { value: f64::from(lesson.value - value).powi(2), policy: policy.sum() }
}

/// The mean error of a network on `lessons`.
pub(crate) fn mean_loss(network: &Network, lessons: &[Lesson]) -> Loss {
    let layers = network.layers();
    let mut sum = Loss::default();
    for lesson in lessons {
        let (neurons, priors) = answer(&layers, lesson);
        let loss = error(neurons.value, &priors, lesson);
        (sum.value, sum.policy) = (sum.value + loss.value, sum.policy + loss.policy);
    }
    let count = lessons.len().max(1) as f64;
    Loss { value: sum.value / count, policy: sum.policy / count }
}

/// Adam (Kingma and Ba 2015, algorithm 1), with weight decay (Loshchilov and Hutter 2019).
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// β₁ and β₂, each to the power of the number of steps so far.
    fading: (f32, f32),
}

impl Adam {
    const BETA: (f32, f32) = (0.9, 0.999);
    const EPSILON: f32 = 1e-8;
    const DECAY: f32 = 1e-4;

    pub(crate) fn of(network: &Network) -> Adam {
        let zeros = || vec![0.0; network.weights.len()];
        Adam { mean: zeros(), square: zeros(), fading: (1.0, 1.0) }
    }

    /// Makes a step against the gradient, then clears the gradient, which is a sum over `count`
    /// positions.
    pub(crate) fn step(
        &mut self,
        network: &mut Network,
        gradient: &mut Gradient,
        count: usize,
        rate: f32,
    ) {
        let (beta1, beta2) = Adam::BETA;
        self.fading = (self.fading.0 * beta1, self.fading.1 * beta2);
        let (unbias1, unbias2) = (1.0 / (1.0 - self.fading.0), 1.0 / (1.0 - self.fading.1));
        let share = 1.0 / count as f32;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let weights = network.weights.iter_mut().zip(&mut gradient.weights);
        for ((weight, slope), (mean, square)) in weights.zip(moments) {
            let g = *slope * share;
            *mean = beta1 * *mean + (1.0 - beta1) * g;
            *square = beta2 * *square + (1.0 - beta2) * g * g;
            let step = *mean * unbias1 / ((*square * unbias2).sqrt() + Adam::EPSILON);
            *weight -= rate * (step + Adam::DECAY * *weight);
            *slope = 0.0;
        }
        gradient.loss = Loss::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::Rng;

    fn lesson() -> Lesson {
        let policy = vec![(0, 0.2), (2, 0.8), (3, 0.0)];
        Lesson { inputs: vec![1, 4, 7], policy, value: 0.6 }
    }

    fn total(network: &Network) -> f64 {
        let Loss { value, policy } = mean_loss(network, &[lesson()]);
        value + policy
    }

    /// Compares the gradient with the difference quotient of each weight.
    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        const STEP: f32 = 2e-3;
        let mut network = Network::drawn("a game".into(), 9, 4, 11);
        let mut rng = Rng::new(2);
        // The weights are far from 0, so that no neuron turns on or off within a step.
        let layers = network.weights.len();
        for weight in &mut network.weights[9 * WIDE..layers] {
            *weight += (rng.below(1000) as f32 - 500.0) * 5e-4;
        }
        let mut gradient = Gradient::of(&network);
        gradient.add(&network, &lesson());
        let mut wrong = 0;
        for place in 0..network.weights.len() {
            let right = network.weights[place];
            network.weights[place] = right + STEP;
            let above = total(&network);
            network.weights[place] = right - STEP;
            let below = total(&network);
            network.weights[place] = right;
            let slope = (above - below) / f64::from(2.0 * STEP);
            let found = f64::from(gradient.weights[place]);
            wrong += usize::from((slope - found).abs() > 0.02 * found.abs() + 2e-3);
        }
        // At a neuron near 0 the two one-sided slopes differ.
        assert!(wrong <= network.weights.len() / 100, "{wrong} of {}", network.weights.len());
    }

    #[test]
    fn a_lesson_is_learnt() {
        let mut network = Network::drawn("a game".into(), 9, 4, 5);
        let (mut gradient, mut adam) = (Gradient::of(&network), Adam::of(&network));
        for _ in 0..300 {
            gradient.add(&network, &lesson());
            adam.step(&mut network, &mut gradient, 1, 0.01);
        }
        let Loss { value, policy } = mean_loss(&network, &[lesson()]);
        assert!(value < 1e-3 && policy < 1e-2, "{value} {policy}");
    }
}
