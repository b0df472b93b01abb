//! Formats the claims of certificates.

use super::{numbers, players};
use proofwood::certificate::{Checked, CheckedClaim, Claim, Promise};
use std::fmt::Write;

/// Describes an accepted certificate: its position, its claims and what follows from them.
pub fn text(name: &str, checked: &Checked, players: &[String]) -> String {
    let mut text = format!("{name}: accepted\n");
    let _ = writeln!(text, "  game      {}", checked.game);
    let moves = &checked.root.moves;
    if checked.root.position.is_none() && moves.is_empty() {
        let _ = writeln!(text, "  position  {} (the start)", checked.position);
    } else {
        let _ = writeln!(text, "  position  {}", checked.position);
    }
    for claim in &checked.claims {
        let words = claim_text(checked, claim, players);
        let positions = numbers::count(claim.positions as f64);
        let references = numbers::count(claim.references as f64);
        let _ =
            writeln!(text, "  proven    {words} ({positions} positions, {references} revisited)");
    }
    if let Some(conclusion) = conclusion(checked, players) {
        let _ = writeln!(text, "  result    {conclusion}");
    }
    text
}

/// Describes a claim, which holds against all other players together.
fn claim_text(checked: &Checked, shown: &CheckedClaim, players: &[String]) -> String {
    let Claim { player, promise } = shown.claim;
    let name = players::name(players, player);
    let alone = checked.players == 1;
    let others = match checked.players {
        2 => players::name(players, 1 - player),
        _ => "all others together",
    };
    let endless = if shown.endless { ", or repeat positions forever" } else { "" };
    match (promise, checked.has_chance) {
        (Promise::AtLeast(payoff), false) if alone => format!("{name} can get at least {payoff}"),
        (Promise::AtLeast(payoff), true) if alone => {
            format!("{name} can secure at least {payoff}, whatever the dice show")
        }
        (Promise::AtLeast(payoff), false) => {
            let verb = if checked.players == 2 { "does" } else { "do" };
            format!("{name} can secure at least {payoff}, whatever {others} {verb}")
        }
        (Promise::AtLeast(payoff), true) => {
            format!("{name} can secure at least {payoff}, whatever {others} and chance do")
        }
        (Promise::Below(payoff), false) if alone => {
            let endless = if shown.endless { ", or goes on forever" } else { "" };
            format!("{name} cannot get {payoff}: every line of play ends below it{endless}")
        }
        (Promise::Below(payoff), true) if alone => {
            format!("{name} cannot secure {payoff}: chance can lead to less{endless}")
        }
        (Promise::Below(payoff), false) => {
            format!("{others} can hold {name} below {payoff}{endless}")
        }
        (Promise::Below(payoff), true) => {
            format!("{name} cannot secure {payoff}: {others} and chance can lead to less{endless}")
        }
    }
}

/// Describes what the claims imply: the exact payoff if they determine it, otherwise the best
/// payoff that a player can secure.
fn conclusion(checked: &Checked, players: &[String]) -> Option<String> {
    if let Some((player, payoff)) = checked.exact() {
        let name = players::name(players, player);
        return Some(match checked.players {
            1 => format!("the most that {name} can get is {payoff}"),
            _ => format!("{name} gets exactly {payoff} with best play"),
        });
    }
    checked.claims.iter().find_map(|shown| {
        let Claim { player, promise: Promise::AtLeast(payoff) } = shown.claim else {
            return None;
        };
        let below = Claim { player, promise: Promise::Below(payoff.checked_add(1)?) };
        let name = players::name(players, player);
        checked.holds(below).then(|| format!("{payoff} is the most that {name} can secure"))
    })
}
