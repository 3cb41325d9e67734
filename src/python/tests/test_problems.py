"""Problems, proofs and claims."""

from __future__ import annotations

import pathlib

import pytest

import fairyproof as fp

PROBLEM = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1"
CLAIMS = """[page]
title = "Frogs"
variant = "losalamos"
[[claim]]
id = "early"
says = "no side wins with its first turn"
never = "turns.exists(t, t.after.won(side))"
[[claim]]
id = "many"
says = "there are thirty first turns"
count = "true"
is = 30
"""


def test_solutions_are_trees_texts_and_pages() -> None:
    solution = fp.solve(fp.position("fide", PROBLEM), "#2", tries=True, set_play=True)
    assert solution and solution.first_turns == ["a4a3"] and solution.verdict == "sound"
    assert solution.complete and solution.count == 1 and solution.limit is None
    [key] = solution.keys
    assert key.turn == "a4a3" and key.threats[0].turn == "a3b2" and key.threats[0].goal
    assert {reply.turn for reply in key.answers} and all(reply.next for reply in key.answers)
    assert str(solution).startswith("fide #2\n\n")
    assert "1.Qa4-a3 ! threat: 2.Qa3-b2 #" in str(solution)
    assert all(len(one.refutations) == 1 for one in solution.tries)
    page = solution.html()
    assert page.lstrip().lower().startswith("<!doctype html") and "</html>" in page


def test_help_play_has_lines() -> None:
    solution = fp.solve(fp.position("fide", "7k/5K2/8/8/8/8/8/6R1 b - - 0 1"), "h#1")
    assert solution.lines == [["h8h7", "g1h1"]]
    assert solution.first_turns == sorted({line[0] for line in solution.lines})


def test_goals_may_be_expressions() -> None:
    position = fp.position("fide", "7k/5K1P/8/6N1/8/8/8/8 w - - 0 1")
    solution = fp.solve(position, "goal 1", goal="mates && kind == 'knight'")
    assert solution.first_turns == fp.solve(position, "#1").first_turns
    with pytest.raises(fp.InputError, match="goal"):
        fp.solve(position, "goal 1")
    with pytest.raises(fp.InputError):
        fp.solve(position, "#0")


def test_limits_of_solutions() -> None:
    position = fp.position("fide", "k7/8/1K6/8/8/8/8/6RR w - - 0 1")
    assert fp.solve(position, "#1").first_turns == ["g1g8", "h1h8"]
    solution = fp.solve(position, "#1", max_solutions=1)
    assert solution.count == 1 and solution.limit == "max_solutions"
    solution = fp.solve(fp.position("fide"), "#8", time=0.3)
    assert not solution.complete and solution.limit == "time" and solution.verdict == "undecided"


def test_proofs_have_certificates(tmp_path: pathlib.Path) -> None:
    position = fp.position("fide", "k3/4/4/1R1K w - - 0 1")
    proof = fp.prove(position, shortest=True, refutation=True)
    assert proof and proof.status == "proven" and proof.plies == 7 and proof.shortest
    certificate = proof.certificate
    assert certificate is not None and certificate.kind == "force" and certificate.plies == 7
    assert certificate.check().plies == 7
    certificate.save(tmp_path / "mate.fpp")
    loaded = fp.Certificate.load(tmp_path / "mate.fpp")
    assert len(loaded) == len(certificate) and bytes(loaded) == bytes(certificate)
    walk = loaded.line()
    assert len(walk.turns) == 1 and walk.answers
    while walk.answers:
        turn, answer, plies = walk.answers[0]
        before = walk.turns
        walk = loaded.line(*before[1::2], turn)
    assert walk.outcome == "white-wins checkmate"
    assert "d1c1" in loaded.tree(depth=2) or loaded.tree(depth=2)
    refutation = proof.refutation
    assert refutation is None or refutation.check().plies == refutation.plies
    damaged = bytearray(bytes(certificate))
    damaged[-1] ^= 1
    (tmp_path / "damaged.fpp").write_bytes(damaged)
    with pytest.raises(fp.InputError):
        fp.Certificate.load(tmp_path / "damaged.fpp")
    with pytest.raises(fp.FileError):
        fp.Certificate.load(tmp_path / "none.fpp")


def test_goals_that_can_be_avoided_are_disproven() -> None:
    proof = fp.prove(fp.position("fide", "k3/4/4/3K w - - 0 1"))
    assert not proof and proof.status == "disproven"
    assert proof.certificate is not None and proof.certificate.kind == "avoid"
    within = fp.prove(fp.position("fide", "k3/4/4/1R1K w - - 0 1"), within=5)
    assert within.status == "none-within" and within.none_within >= 5
    with pytest.raises(fp.InputError):
        fp.prove(fp.position("fide"), "chekmate")
    with pytest.raises(fp.InputError, match="over"):
        fp.prove(fp.position("fide", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))


def test_claims_are_files_texts_and_dicts(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "frogs.toml"
    file.write_text(CLAIMS)
    as_dict = {
        "page": {"title": "Frogs", "variant": "losalamos"},
        "claim": [
            {"id": "early", "says": "no", "never": "turns.exists(t, t.after.won(side))"},
            {"id": "many", "says": "thirty", "count": "true", "is": 30},
        ],
    }
    for claims in (file, str(file), CLAIMS, as_dict):
        early, many = fp.verify(claims)  # type: ignore[arg-type]
        assert early.verdict == "confirmed" and early and early.scope == "exhaustive"
        assert many.verdict == "refuted" and not many and many.summary
        assert early.claim.endswith("/early")
    [only] = fp.verify(CLAIMS, only=["early"])
    assert only.rows == [dict(zip(only.evidence.column_names, row.values())) for row in only.rows]
    with pytest.raises(fp.InputError, match="says"):
        fp.verify(CLAIMS.replace('says = "no side wins with its first turn"\n', ""))
    with pytest.raises(fp.InputError, match="begins with it"):
        fp.verify("nonsense")


def test_built_in_claims_are_found_by_their_beginnings() -> None:
    findings = fp.verify("bachelor/", only=["array"])
    assert findings and all(finding.claim.startswith("bachelor/array") for finding in findings)


def test_first_claims_are_written() -> None:
    text = fp.new_claims("gardner")
    assert text.count("[[claim]]") > 5


def test_searches_for_proofs_are_continued(tmp_path: pathlib.Path) -> None:
    root = fp.position("fide", "8/8/8/3k4/8/8/8/KRR5 w - - 0 1")
    begun = fp.prove(root, positions=50, state=tmp_path / "search")
    assert begun.limit is not None and not begun.relies_on_saved
    assert (tmp_path / "search" / "search.fps").exists()
    done = fp.prove(root, state=tmp_path / "search", time=60, first=True)
    assert done and done.relies_on_saved and done.certificate is not None
    with pytest.raises(fp.InputError):
        fp.prove(fp.position("fide", "7k/8/8/8/8/8/8/KQ6 w - - 0 1"), state=tmp_path / "search")
    # A position on the way to the goal is known from its certificate.
    known = fp.prove(root, certificates=[done.certificate], first=True)
    assert known and known.positions < fp.prove(root, first=True).positions
    other = fp.prove(fp.position("fide", "k3/4/4/1R1K w - - 0 1"))
    assert other.certificate is not None
    with pytest.raises(fp.InputError, match="another"):
        fp.prove(root, certificates=[other.certificate])
