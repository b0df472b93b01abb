//! Input planes of Connect Four: the stones, and the empty cells of open lines.

use super::{ConnectFour, State};
use crate::planes::{Planes, each};

/// The number of planes for each side to move.
const PLANES: usize = 6;

impl ConnectFour {
    fn bits(&self) -> usize {
        self.width * (self.height + 1)
    }

    /// The empty cells of lines that one more stone would complete, and those of lines that two
    /// more would complete. Only lines without a stone other than `stones` count.
    #[inline]
    fn missing(&self, stones: u64, empty: u64) -> [u64; 2] {
        let open = stones | empty;
        let [mut one, mut two] = [0; 2];
        for step in self.steps {
            let mut whole = u64::MAX;
            // `exactly[n]` is the set of first cells whose line lacks exactly `n` stones so far.
            let mut exactly = [u64::MAX, 0, 0];
            for place in 0..self.k as u32 {
                whole &= open >> (place * step);
                let lacks = !(stones >> (place * step));
                exactly = [
                    exactly[0] & !lacks,
                    exactly[1] & !lacks | exactly[0] & lacks,
                    exactly[2] & !lacks | exactly[1] & lacks,
                ];
            }
            let [lines_of_one, lines_of_two] = [exactly[1] & whole, exactly[2] & whole];
            for place in 0..self.k as u32 {
                one |= lines_of_one << (place * step);
                two |= lines_of_two << (place * step);
            }
        }
        [one & empty, two & empty]
    }
}

impl Planes for ConnectFour {
    fn board(&self) -> String {
        format!("connect-four:{}x{},k={}", self.width, self.height, self.k)
    }

    fn inputs(&self) -> usize {
        2 * PLANES * self.bits()
    }

    fn outputs(&self) -> usize {
        self.width
    }

    /// Uses separate inputs for each side to move, because the value of a threat depends on which
    /// side moved first.
    #[inline]
    fn look(&self, state: &State, mut on: impl FnMut(usize)) {
        let (own, others) = (state.own, Self::others(state));
        let empty = self.board & !state.stones;
        let [own_one, own_two] = self.missing(own, empty);
        let [others_one, others_two] = self.missing(others, empty);
        let planes = [own, others, own_one, others_one, own_two, others_two];
        let side = (state.stones.count_ones() & 1) as usize;
        let first = side * PLANES * self.bits();
        each(planes, self.bits(), |input| on(first + input));
    }

    #[inline]
    fn output(&self, mv: u8) -> usize {
        mv.into()
    }

    fn images(&self) -> usize {
        2
    }

    fn input_of_image(&self, image: usize, input: usize) -> usize {
        let (plane, cell) = (input / self.bits(), input % self.bits());
        let (column, row) = (cell / (self.height + 1), cell % (self.height + 1));
        let column = self.output_of_image(image, column);
        plane * self.bits() + column * (self.height + 1) + row
    }

    fn output_of_image(&self, image: usize, column: usize) -> usize {
        if image == 0 { column } else { self.width - 1 - column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::cells;
    use proofwood_game::{Game, Rng, Turn};

    fn missing_by_hand(game: &ConnectFour, stones: u64, empty: u64, missing: usize) -> u64 {
        let stride = game.height as i32 + 1;
        let mut found = 0;
        for (right, up) in [(0, 1), (1, 0), (1, -1), (1, 1)] {
            for (column, row) in (0..game.width as i32)
                .flat_map(|column| (0..game.height as i32).map(move |row| (column, row)))
            {
                let line: Option<Vec<u64>> = (0..game.k as i32)
                    .map(|place| (column + place * right, row + place * up))
                    .map(|(column, row)| {
                        let inside = (0..game.width as i32).contains(&column)
                            && (0..game.height as i32).contains(&row);
                        inside.then(|| 1 << (column * stride + row))
                    })
                    .collect();
                let Some(line) = line else { continue };
                let own = line.iter().filter(|&&cell| stones & cell != 0).count();
                let free: Vec<u64> = line.into_iter().filter(|cell| empty & cell != 0).collect();
                if own + free.len() == game.k && free.len() == missing {
                    found |= free.into_iter().fold(0, |set, cell| set | cell);
                }
            }
        }
        found
    }

    #[test]
    fn open_lines_are_those_found_cell_by_cell() {
        for (width, height, k) in [(7, 6, 4), (5, 4, 3), (9, 6, 5)] {
            let game = ConnectFour::new(width, height, k).unwrap();
            let mut rng = Rng::new(5);
            for _ in 0..20 {
                let mut state = game.initial_state();
                while let Turn::Player(_) = game.turn(&state) {
                    let empty = game.board & !state.stones;
                    for stones in [state.own, ConnectFour::others(&state)] {
                        let right = [1, 2].map(|n| missing_by_hand(&game, stones, empty, n));
                        assert_eq!(game.missing(stones, empty), right);
                    }
                    let open: Vec<u8> = (0..width as u8)
                        .filter(|&column| game.is_open(state.stones, column))
                        .collect();
                    game.play(&mut state, open[rng.below(open.len() as u32) as usize]);
                }
            }
        }
    }

    #[test]
    fn both_sides_have_inputs_of_their_own() {
        let game = ConnectFour::default();
        let mut state = game.initial_state();
        let on = |state: &State| {
            let mut on = Vec::new();
            game.look(state, |input| on.push(input));
            on
        };
        assert_eq!(on(&state), Vec::<usize>::new());
        game.play(&mut state, 3);
        let cell = cells(state.stones).next().unwrap();
        assert_eq!(on(&state), vec![(PLANES + 1) * 49 + usize::from(cell)]);
    }
}
