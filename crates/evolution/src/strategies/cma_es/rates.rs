//! The learning rates of a distribution, from the numbers of weights and samples: the usual settings of CMA-ES (Hansen
//! 2016) and of its separable form (Ros and Hansen 2008).

use chance::ln;

/// Which covariances a distribution has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The covariances of all pairs of numbers.
    Full,
    /// Only the variance of each number; all covariances are 0.
    Separable,
}

/// How fast a distribution learns.
#[derive(Clone, Debug)]
pub struct Rates {
    /// The weight of each of the best samples, the very best first; the sum is 1.
    pub weights: Vec<f64>,
    /// The effective number of samples: how many there would be if all had the same weight.
    pub effective: f64,
    /// The share of the step-size path that is forgotten in each generation.
    pub step_fading: f64,
    /// How slowly the step follows its path.
    pub damping: f64,
    /// The share of the covariance path that is forgotten in each generation.
    pub path_fading: f64,
    /// The share of the path in each generation's covariance.
    pub by_path: f64,
    /// The share of the best samples in each generation's covariance.
    pub by_samples: f64,
    /// The mean length of a vector of standard normal numbers.
    pub usual: f64,
    /// The number of generations between two computations of the axes, chosen so that the covariance changes little
    /// between.
    pub patience: u64,
}

impl Rates {
    pub fn new(size: usize, population: usize, form: Form) -> Rates {
        let n = size as f64;
        let last = ln((population as f64 + 1.0) / 2.0);
        let mut weights: Vec<f64> = (1..=population / 2).map(|rank| last - ln(rank as f64)).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let step_fading = (effective + 2.0) / (n + effective + 5.0);
        let wide = ((effective - 1.0) / (n + 1.0)).max(0.0).sqrt() - 1.0;
        // The separable form has fewer numbers to learn, so it learns them faster.
        let faster = match form {
            Form::Full => 1.0,
            Form::Separable => (n + 2.0) / 3.0,
        };
        let by_path = (faster * 2.0 / ((n + 1.3) * (n + 1.3) + effective)).min(1.0);
        let of_samples = 2.0 * (effective - 2.0 + 1.0 / effective).max(0.0) / ((n + 2.0) * (n + 2.0) + effective);
        let by_samples = (faster * of_samples).min(1.0 - by_path);
        let patience = match form {
            Form::Full => (0.5 / (n * (by_path + by_samples))) as u64,
            Form::Separable => 1,
        };
        Rates {
            weights,
            effective,
            step_fading,
            damping: 1.0 + 2.0 * wide.max(0.0) + step_fading,
            path_fading: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            by_path,
            by_samples,
            usual: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            patience: patience.max(1),
        }
    }
}
