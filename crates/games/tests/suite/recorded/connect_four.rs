use super::openspiel;
use proofwood_games::ConnectFour;

#[test]
fn openspiel_connect_four() {
    // OpenSpiel writes the player's mark and then the column, counted from 0.
    let translate = |mv: &str| (mv[1..].parse::<usize>().unwrap() + 1).to_string();
    for (name, width, height) in [
        ("connect_four", 7, 6),
        ("connect_four_4x4", 4, 4),
        ("connect_four_5x4", 5, 4),
        ("connect_four_6x5", 6, 5),
    ] {
        let game = ConnectFour::new(width, height, 4).unwrap();
        openspiel(name, &game, translate, |board| board.replace('\n', ""));
    }
}
