//! Networks as safetensors files.

use crate::network::{Network, shapes};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The metadata key under which the game's description is stored.
const GAME: &str = "game";

/// The reason why a network cannot be read from or written to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// The file is not in safetensors format, or its tensors are inconsistent.
    #[error("{0}: {1}")]
    Tensors(PathBuf, SafeTensorError),
    /// The tensors are not those of a network of this kind.
    #[error("{0}: {1}")]
    Network(PathBuf, String),
}

impl Network {
    /// Reads a network from a safetensors file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not contain a network of this kind.
    pub fn load(path: &Path) -> Result<Network, FileError> {
        let bytes = fs::read(path).map_err(|error| FileError::Io(path.into(), error))?;
        Network::read(&bytes).map_err(|error| match error {
            Unread::Tensors(error) => FileError::Tensors(path.into(), error),
            Unread::Network(why) => FileError::Network(path.into(), why),
        })
    }

    /// Writes the network; an existing file is replaced atomically.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let bytes = self.bytes().map_err(|error| FileError::Tensors(path.into(), error))?;
        let beside = path.with_extension("partial");
        fs::write(&beside, bytes)
            .and_then(|()| fs::rename(&beside, path))
            .map_err(|error| FileError::Io(path.into(), error))
    }

    pub(crate) fn bytes(&self) -> Result<Vec<u8>, SafeTensorError> {
        let bytes: Vec<u8> = self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let mut at = 0;
        let mut tensors = Vec::new();
        for (name, shape) in shapes(self.inputs, self.outputs) {
            let end = at + 4 * shape.iter().product::<usize>();
            tensors.push((name, TensorView::new(Dtype::F32, shape, &bytes[at..end])?));
            at = end;
        }
        let game = HashMap::from([(GAME.to_string(), self.board.clone())]);
        safetensors::serialize(tensors, Some(game))
    }

    fn read(bytes: &[u8]) -> Result<Network, Unread> {
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let board = metadata.metadata().as_ref().and_then(|texts| texts.get(GAME)).cloned();
        let board =
            board.ok_or_else(|| Unread::Network("the network does not name its game".into()))?;
        let tensors = SafeTensors::deserialize(bytes)?;
        let rows = |name| Ok::<_, Unread>(tensors.tensor(name)?.shape().first().copied());
        let inputs = rows("first.weight")?.unwrap_or(0);
        let outputs = rows("policy.weight")?.unwrap_or(0);
        let mut weights = Vec::new();
        for (name, shape) in shapes(inputs, outputs) {
            let tensor = tensors.tensor(name)?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
                let found = format!("{:?} {:?}", tensor.dtype(), tensor.shape());
                return Err(Unread::Network(format!(
                    "the tensor {name} should be F32 {shape:?}, not {found}"
                )));
            }
            let numbers = tensor.data().as_chunks().0.iter();
            weights.extend(numbers.map(|&number| f32::from_le_bytes(number)));
        }
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err(Unread::Network("a weight is not a finite number".into()));
        }
        Ok(Network { board, inputs, outputs, weights })
    }
}

#[derive(Debug)]
enum Unread {
    Tensors(SafeTensorError),
    Network(String),
}

impl From<SafeTensorError> for Unread {
    fn from(error: SafeTensorError) -> Unread {
        Unread::Tensors(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let network = Network::drawn("connect-four:5x4,k=3".into(), 30, 5, 3);
        let bytes = network.bytes().unwrap();
        assert_eq!(Network::read(&bytes).unwrap(), network);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let mut network = Network::drawn("a game".into(), 3, 2, 3);
        let bytes = network.bytes().unwrap();
        assert!(matches!(Network::read(&bytes[..bytes.len() - 1]), Err(Unread::Tensors(_))));
        assert!(matches!(Network::read(b"no tensors"), Err(Unread::Tensors(_))));
        let no_game = safetensors::serialize(Vec::<(&str, TensorView<'_>)>::new(), None).unwrap();
        assert!(matches!(Network::read(&no_game), Err(Unread::Network(_))));
        network.weights[5] = f32::NAN;
        let not_finite = network.bytes().unwrap();
        assert!(matches!(Network::read(&not_finite), Err(Unread::Network(_))));
    }
}
