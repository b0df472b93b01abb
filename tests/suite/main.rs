//! Tests of the library from outside, one module a subject. `allocations` has an allocator
//! of its own and `logical` a feature of its own: those are programs beside this one.

mod asked;
mod batches;
mod beside;
mod best_first;
mod best_first_trees;
mod central;
mod certificates;
mod chance;
mod checkpoints;
mod declared;
mod determinism;
mod df_ppns;
mod each_for_itself;
mod evaluators;
mod faulty_games;
mod final_move;
mod interface;
mod means;
mod odd_games;
mod open_loop;
mod own_parts;
mod playing;
mod positions;
mod priors;
mod proofs;
mod robust;
mod rules;
mod saved_trees;
mod shortest;
mod small;
mod small_proofs;
mod solves;
mod statistics;
mod symmetries;
mod worth;
