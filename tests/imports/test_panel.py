"""Sheets for people. Oracles: the items they are made from, and the rules models are marked by."""

from dataclasses import dataclass

import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import _Group
from metacog.collect.collection import Collection
from metacog.commands.panel import command
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.base import Message
from metacog.engines.requests import Choose, Generate, Score, user
from metacog.imports.panel import (
    Bank,
    answer_sheets,
    asked,
    judge_sheets,
    mark_sheets,
    open_bank,
    write_sheets,
)
from metacog.imports.raters import RaterColumns, read_ratings
from metacog.studies import get_study
from metacog.studies.study import Study

group = _Group("metacog", commands={"panel": command})
PROBE = get_study("study4_probe")


@dataclass(frozen=True)
class Sum:
    id: str
    a: int
    domain: str
    rubric: str = "The sum, as a number."

    @property
    def key(self):
        return str(self.a + 1)


class Sums(Collection):
    name = "sums"
    one_turn = True

    def sets(self, settings):
        return {"easy": 1, "hard": 100}

    def items(self, settings, needed):
        return [Sum(f"s{i}", i * settings, "odd" if i % 2 else "even") for i in range(12)]

    def ask(self, item, settings):
        head = (Message(role="system", content="Answer with a number."),)
        yield Generate((*head, user(f"What is {item.a} plus one?")), 8)

    def read(self, item, replies, settings):
        (reply,) = replies
        yield {
            "text": reply.text,
            "correct": reply.text == item.key,
            "confidence": 0.5,
            "length": len(reply.text),
        }


class Sides(Sums):
    name = "sides"

    def ask(self, item, settings):
        yield Choose((user("Odd or even?"),), ("Odd", "Even"))

    def read(self, item, replies, settings):
        yield {"correct": replies[0].chosen.lower() == item.domain}


class Scores(Sums):
    name = "scores"

    def ask(self, item, settings):
        yield Score((user("?"),), (" yes",))


class Turns(Sums):
    name = "turns"
    one_turn = False


TOY = Study("toy", "Toy", collections=(Sums(), Sides(), Scores(), Turns()))


def bank_of(name="sums", dataset="easy"):
    profile = load_profile("smoke")
    profile = type(profile)(**{**profile.__dict__, "studies": {**profile.studies, "toy": {}}})
    return open_bank(TOY, profile, name, dataset)


def probe():
    return open_bank(PROBE, load_profile("default"))


def test_a_sheet_holds_every_item_once_as_a_model_is_asked():
    bank = bank_of()
    sheets = answer_sheets(bank, 3, seed=1)
    assert list(sheets) == ["person-01", "person-02", "person-03"]
    for who, sheet in sheets.items():
        assert set(sheet["person"]) == {who} and sorted(sheet["item"]) == sorted(bank.items)
        assert sheet["place"].tolist() == list(range(1, 13)) and (sheet["reply"] == "").all()
        for row in sheet.to_dict("records"):
            item = bank.items[row["item"]]
            assert row["prompt"] == f"What is {item.a} plus one?" and row["part"] == item.domain
            assert row["instruction"] == "Answer with a number."
        assert (sheet["part"] != sheet["part"].shift()).sum() == 2  # parts stay together
        assert "options" not in sheet
    orders = [sheet["item"].tolist() for sheet in sheets.values()]
    assert orders[0] != orders[1] != orders[2]
    assert orders == [s["item"].tolist() for s in answer_sheets(bank, 3, seed=1).values()]
    assert answer_sheets(bank_of("sides"), 1)["person-01"]["options"].eq("Odd | Even").all()


def test_the_probes_sheets_hold_no_key_and_no_rubric():
    bank = probe()
    sheet = answer_sheets(bank, 1)["person-01"]
    assert len(sheet) == 78
    for row in sheet.to_dict("records"):
        item = bank.items[row["item"]]
        assert row["prompt"] == f"ITEM: {item.prompt}"
        assert item.rubric not in " ".join(str(v) for v in row.values())
    assert not {"key", "rubric", "accepted", "difficulty", "errors"} & set(sheet.columns)


def test_filled_sheets_are_marked_as_models_are_and_read_by_raters(tmp_path):
    bank = bank_of()
    sheets = answer_sheets(bank, 2)
    for who, sheet in sheets.items():
        right = sheet["item"].map(lambda i: bank.items[i].key)
        sheet["reply"] = right.where(sheet["place"] > (3 if who == "person-02" else 0), "?")
        sheet.loc[sheet["place"] == 12, "reply"] = " "
    write_sheets(sheets, tmp_path / "sheets")
    trials, n_empty = mark_sheets(bank, sorted((tmp_path / "sheets").glob("*.csv")))
    assert n_empty == 2 and len(trials) == 22
    assert trials.groupby("person")["correct"].sum().to_dict() == {"person-01": 11, "person-02": 8}
    assert trials["confidence"].eq(0.5).all() and (trials["length"] == trials["reply"].str.len()).all()
    trials.to_csv(tmp_path / "panel.csv", index=False)
    read = read_ratings(
        [tmp_path / "panel.csv"], RaterColumns(rater="person", judgement="correct", by="part")
    )
    assert read.table.shape == (12, 2) and set(read.parts) == {"odd", "even"}
    assert read.table["person-02"].sum() == 8


def test_choices_are_read_by_their_words(tmp_path):
    bank = bank_of("sides")
    sheet = answer_sheets(bank, 1)["person-01"].assign(reply="even")
    write_sheets({"x": sheet}, tmp_path)
    trials, _ = mark_sheets(bank, [tmp_path / "x.csv"])
    assert trials["correct"].sum() == 6 and (trials["correct"] == (trials["part"] == "even")).all()


def test_a_persons_reply_to_the_probe_is_parsed_with_its_confidence(tmp_path):
    bank = probe()
    item = next(i for i in bank.items.values() if i.task == "T4_CR")
    rows = [("A", f"ANSWER: {item.key}\nCONFIDENCE: 80"), ("B", "ANSWER: no idea\nCONFIDENCE: 5"), ("C", "")]
    sheet = pd.DataFrame([{"person": who, "item": item.id, "reply": reported} for who, reported in rows])
    sheet.to_csv(tmp_path / "x.csv", index=False)
    trials, n_empty = mark_sheets(bank, [tmp_path / "x.csv"])
    assert trials["correct"].tolist() == [1, 0] and trials["confidence"].tolist() == [0.8, 0.05]
    assert trials["part"].eq("T4_CR").all() and n_empty == 1


def collected(bank):
    rows = [
        {
            "model": model,
            "dataset": "easy",
            "question_id": name,
            "text": f"{model[0]} says {n}",
            "correct": n == 0,
        }
        for model in ("alpha-7b", "beta-1b")
        for name in bank.items
        for n in (0, 1)  # a second sample is not judged
    ]
    return pd.DataFrame(rows)


def test_raters_see_the_rule_and_not_whose_reply_it_is():
    bank = bank_of()
    trials = collected(bank)
    sheets, codes = judge_sheets(bank, trials, 2, seed=4)
    assert len(codes) == 24 and codes["item"].is_unique
    assert codes.groupby("model").size().to_dict() == {"alpha-7b": 12, "beta-1b": 12}
    whose = codes.set_index("item")
    for sheet in sheets.values():
        assert sorted(sheet["item"]) == sorted(codes["item"])
        assert not sheet.astype(str).apply(lambda c: c.str.contains("alpha-7b|beta-1b")).any(axis=None)
        assert not {"model", "question_id", "correct"} & set(sheet.columns)
        for row in sheet.to_dict("records"):
            code = whose.loc[row["item"]]
            item = bank.items[code["question_id"]]
            assert (row["key"], row["rubric"]) == (item.key, item.rubric)
            assert row["reply"] == f"{code['model'][0]} says 0" and row["judgement"] == ""
    first, second = (s["item"].tolist() for s in sheets.values())
    assert first != second
    by_place = codes["model"].ne(codes["model"].shift()).sum()
    assert by_place > 4  # codes do not run model by model


def test_judged_sheets_are_one_long_table(tmp_path):
    bank = bank_of()
    sheets, codes = judge_sheets(bank, collected(bank), 3)
    for sheet in sheets.values():
        sheet["judgement"] = "yes"
    write_sheets(sheets, tmp_path, codes)
    read = read_ratings(sorted(tmp_path.glob("rater-*.csv")), RaterColumns(by="part"))
    assert read.form == "long" and read.table.shape == (24, 3) and (read.table == "yes").all(axis=None)


def test_what_does_not_fit_on_a_sheet_is_a_short_error(tmp_path):
    with pytest.raises(MetacogError, match="collections of one turn: sums, sides and scores"):
        bank_of("turns")
    with pytest.raises(MetacogError, match="--dataset is needed: sums has easy, hard"):
        bank_of("sums", "")
    with pytest.raises(MetacogError, match="no set 'odd'"):
        bank_of("sums", "odd")
    with pytest.raises(MetacogError, match="people cannot give"):
        asked(bank_of("scores"), Sum("s", 1, ""))
    bare = Bank(Sums(), 1, {"s1": Sum("s1", 1, "odd", rubric="")})
    with pytest.raises(MetacogError, match="no trial is of an item"):
        judge_sheets(bare, collected(bank_of()).assign(question_id="other"), 1)
    write_sheets(answer_sheets(bare, 1), tmp_path)
    with pytest.raises(MetacogError, match="perhaps filled in"):
        write_sheets(answer_sheets(bare, 1), tmp_path)


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("person,reply\nA,1\n", "there is no column 'item'"),
        ("item,reply\ns1,1\n", "there is no column 'person'"),
        ("person,item,reply\nA,zz,1\n", "no item 'zz'"),
        ("person,item,reply\nA,s1,1\nA,s1,2\n", "'A' answered item 's1' more than once"),
        ("person,item,reply\n,s1,1\n", "names no person"),
        ("person,item,reply\nA,s1,\n", "nobody answered"),
        ("person,item,reply\n", "holds no rows"),
    ],
)
def test_sheets_that_cannot_be_marked(tmp_path, text, reported):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(MetacogError, match=reported):
        mark_sheets(bank_of(), [tmp_path / "x.csv"])


def test_the_command_from_asking_to_marking(tmp_path):
    def run(*words):
        return CliRunner().invoke(group, ["panel", *(str(w) for w in words)])

    done = run("ask", "--study", "study4_probe", "--people", 1, "--out", tmp_path / "s")
    assert done.exit_code == 0 and "78 items" in done.output, done.output
    path = tmp_path / "s" / "person-01.csv"
    sheet = pd.read_csv(path)
    sheet.assign(reply="ANSWER: 6\nCONFIDENCE: 9").to_csv(path, index=False)
    done = run("mark", path, "--study", "study4_probe", "--out", tmp_path / "panel.csv")
    assert done.exit_code == 0 and "78 replies" in done.output, done.output
    marked = pd.read_csv(tmp_path / "panel.csv").set_index("item")
    assert marked.loc["t1-01", "correct"] == 1 and marked.loc["t1-02", "correct"] == 0
    again = run("ask", "--study", "study4_probe", "--people", 1, "--out", tmp_path / "s")
    assert again.exit_code == 2 and "filled in" in again.output
    assert run("ask", "--study", "none", "--people", 1, "--out", tmp_path).exit_code == 2
