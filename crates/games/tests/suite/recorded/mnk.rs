use super::openspiel;
use proofwood_games::Mnk;

#[test]
fn openspiel_mnk() {
    for (name, m, n, k) in [
        ("tic_tac_toe", 3, 3, 3),
        ("mnk_3_3_3", 3, 3, 3),
        ("mnk_4_4_4", 4, 4, 4),
        ("mnk_5_4_4", 5, 4, 4),
    ] {
        let game = Mnk::new(m, n, k, 2).unwrap();
        openspiel(name, &game, |mv| mnk_cell(mv, n), |board| board.replace('\n', ""));
    }
}

/// Converts OpenSpiel's move `x(row,column)`, counted from 0 at the top left, to the cell's name.
pub(crate) fn mnk_cell(text: &str, rows: usize) -> String {
    let (row, column) = text[2..text.len() - 1].split_once(',').expect(text);
    let column = char::from(b'a' + column.parse::<u8>().unwrap());
    format!("{column}{}", rows - row.parse::<usize>().unwrap())
}
