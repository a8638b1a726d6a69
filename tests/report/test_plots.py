"""Figures, tables and matrices that chapters draw. Oracle: the frames that are handed in."""

import io
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pandas as pd
import pytest
from matplotlib.lines import Line2D

from metacog.core.errors import MetacogError
from metacog.core.frames import chosen_from
from metacog.report import bars, dots, forest, lines, matrix, table
from metacog.report.drawing import NARROW
from metacog.report.style import MARKERS
from metacog.report.vocabulary import Term, ends_of, term, title_of, vocabulary

NAN = float("nan")
MODELS = pd.DataFrame(
    {
        "model": ["small", "large", "none"],
        "auroc2": [0.6, 0.85, NAN],
        "auroc2_lower": [0.5, 0.8, NAN],
        "auroc2_upper": [0.7, 0.9, NAN],
        "accuracy": [0.2, 0.5, 0.1],
        "n": [40, 400, 7],
        "flag": ["", "", ""],
    }
)
HEAT = pd.DataFrame(
    {"temperature": [0.1, 1.0] * 2, "auroc2": [0.5, 0.7, 0.6, 0.9], "model": ["a", "a", "b", "b"]}
)
DRAWN = {
    "forest": lambda: forest(
        MODELS, value="auroc2", rows="model", caption="C.", label="fig-a", reference=0.5
    ),
    "beside": lambda: forest(MODELS, value=["auroc2", "accuracy"], rows="model", caption="C.", beside=True),
    "lines": lambda: lines(
        HEAT, x="temperature", value="auroc2", colour="model", caption="C.", reference=0.5
    ),
    "dots": lambda: dots(MODELS, x="accuracy", y="auroc2", names="model", caption="C.", diagonal=True),
    "bars": lambda: bars(MODELS, value=["accuracy", "auroc2"], rows="model", caption="C."),
    "stacked": lambda: bars(
        HEAT, value="auroc2", rows="temperature", colour="model", stacked=True, caption="C."
    ),
}


def read(csv):
    return pd.read_csv(io.StringIO(csv), keep_default_na=False, na_values=[""])


def points(figure, axis=0):
    """Marks of a panel: (x, face) of every line with a marker."""
    drawn = [
        line for line in figure.axes[axis].lines if isinstance(line, Line2D) and line.get_marker() == "o"
    ]
    return [(x, line.get_markerfacecolor()) for line in drawn for x in line.get_xdata()]


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_has_a_picture_for_page_and_phone_its_data_and_words(name):
    drawn = DRAWN[name]()
    shown, about = drawn._repr_mimebundle_()
    for svg in (shown["image/svg+xml"], shown[NARROW]):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
    wide, small = drawn.figure.get_size_inches()[0], drawn.narrow.get_size_inches()[0]
    assert small < 4 < wide
    data = read(shown["text/csv"])
    drawn_from = HEAT if "temperature" in data else MODELS
    assert data["auroc2"].dropna().tolist() == drawn_from["auroc2"].dropna().tolist()
    (told,) = about.values()
    assert told["caption"] == "C." and "AUROC2" in told["alt"] and "0.8" in told["alt"].replace("0.9", "0.8")


def test_rows_stand_in_the_order_of_the_frame_or_of_their_values():
    def names(**how):
        figure = forest(MODELS, value="auroc2", rows="model", caption="", **how).figure
        return [text.get_text() for text in figure.axes[0].get_yticklabels()]

    assert names() == ["small", "large", "none"] and names(sort=True) == ["large", "small", "none"]


def test_what_cannot_be_judged_says_so_and_intervals_are_drawn_where_they_are_known():
    drawn = forest(MODELS, value="auroc2", rows="model", caption="")
    (axis,) = drawn.figure.axes
    assert [text.get_text() for text in axis.texts] == ["not testable"]
    spans = [tuple(line.get_xdata()) for line in axis.lines if len(line.get_xdata()) == 2]
    assert sorted(spans) == [(0.5, 0.7), (0.8, 0.9)]
    assert "(0.5 to" in drawn.alt and "none" not in drawn.alt.split(".", 1)[1]


def test_of_two_runs_the_first_is_filled_and_the_second_open():
    both = pd.concat([MODELS[:2].assign(run="reference run"), MODELS[:1].assign(run="this machine")])
    drawn = forest(both, value="accuracy", rows="model", caption="")
    faces = {x: face for x, face in points(drawn.figure) if x == 0.5}
    assert set(faces.values()) != {"white"}
    assert [face for x, face in points(drawn.figure) if x == 0.2].count("white") == 1
    assert [t.get_text() for t in drawn.figure.legends[0].get_texts()] == ["reference run", "this machine"]
    assert "machine 0.2" in drawn.alt
    own = pd.concat(
        [both, pd.DataFrame([{"model": "Mine", "accuracy": 0.3}])]
    )  # as a reader adds it, without a run
    names = forest(own, value="accuracy", rows="model", caption="").figure.legends[0].get_texts()
    assert [t.get_text() for t in names] == ["reference run", "this machine", "added"]


def test_a_hollow_row_is_open_and_a_value_has_its_own_interval():
    frame = MODELS[:2].assign(unsure=[True, False], low=[0.1, 0.4], high=[0.3, 0.6])
    drawn = forest(
        frame, value="accuracy", rows="model", caption="", interval=("low", "high"), hollow="unsure"
    )
    assert [face == "white" for x, face in sorted(points(drawn.figure))] == [True, False]
    assert list(read(drawn.csv())) == ["model", "accuracy", "low", "high"]
    for told, open_ in (
        (["yes", "no"], [False, True]),
        (["undecided", "yes"], [True, False]),
        (["", "flag"], [False, True]),
    ):
        drawn = forest(frame.assign(told=told), value="accuracy", rows="model", caption="", hollow="told")
        assert [face == "white" for _, face in sorted(points(drawn.figure))] == open_
        both = frame.assign(told=told, unsure=[True, False])
        drawn = forest(both, value="accuracy", rows="model", caption="", hollow=["told", "unsure"])
        assert [face == "white" for _, face in sorted(points(drawn.figure))] == [True, open_[1]]


def test_marks_of_a_printed_value_are_open_and_so_is_its_legend():
    frame = MODELS[:2].assign(printed=[0.3, 0.7])
    drawn = forest(frame, value=["accuracy", "printed"], rows="model", caption="", hollow="printed")
    marks = [line for line in drawn.figure.axes[0].lines if line.get_marker() in MARKERS]
    open_ = [x for line in marks if line.get_markerfacecolor() == "white" for x in line.get_xdata()]
    assert sorted(open_) == pytest.approx([0.3, 0.7]) and len(marks) == 4
    handles = drawn.figure.legends[0].legend_handles
    assert [handle.get_markerfacecolor() == "white" for handle in handles] == [False, True]


def test_kinds_of_models_have_one_colour_in_every_figure():
    """Oracle: the order in which the dictionary lists them, whichever come first in the data."""
    kinds = list(term("profile").values)
    frame = pd.DataFrame({"model": list("abcd"), "accuracy": [0.1, 0.2, 0.3, 0.4], "profile": kinds})

    def colours(rows):
        figure = forest(rows, value="accuracy", rows="model", colour="profile", caption="").figure
        marks = (line for line in figure.axes[0].lines if len(line.get_xdata()) == 1)
        return {float(line.get_xdata()[0]): line.get_color() for line in marks}

    every = colours(frame)
    assert len(set(every.values())) == 4 and colours(frame[::-1]) == every
    assert colours(frame[2:3]) == {0.3: every[0.3]}


def test_a_legend_of_numbers_says_what_they_are():
    frame = pd.DataFrame(
        {"n_raters": [1, 2, 1, 2], "spread": [0.4, 0.3, 0.2, 0.1], "n_items": [12, 12, 24, 24]}
    )
    drawn = lines(frame, x="n_raters", value="spread", colour="n_items", caption="")
    assert drawn.figure.legends[0].get_title().get_text() == term("n_items").title
    words = frame.assign(n_items=["few", "few", "many", "many"])
    drawn = lines(words, x="n_raters", value="spread", colour="n_items", caption="")
    assert drawn.figure.legends[0].get_title().get_text() == ""


def test_temperatures_are_marked_where_they_are():
    axis = DRAWN["lines"]().figure.axes[0]
    assert axis.get_xscale() == "log" and list(axis.get_xticks()) == [0.1, 1.0]
    assert "from 0.5" in (told := DRAWN["lines"]().alt) and "to 0.7" in told


def test_a_stack_does_not_fall_below_nothing():
    frame = pd.DataFrame({"part": ["x", "y"], "temperature": [1.0, 1.0], "bits": [-0.1, 0.3]})
    figure = bars(frame, value="bits", rows="temperature", colour="part", stacked=True, caption="").figure
    assert [bar.get_width() for bar in figure.axes[0].patches] == [0, 0.3]
    assert [bar.get_x() for bar in figure.axes[0].patches] == [0, 0]


def test_stacks_of_two_runs_stand_beside_each_other():
    frame = pd.DataFrame({"model": ["a", "b", "a"], "part": "x", "bits": [0.3, 0.2, 0.1]})
    frame["run"] = ["reference run", "reference run", "this machine"]
    figure = bars(frame, value="bits", rows="model", colour="part", stacked=True, caption="").figure
    assert [t.get_text() for t in figure.axes[0].get_yticklabels()] == ["a", "b", "a, this machine"]
    assert {bar.get_x() for bar in figure.axes[0].patches if bar.get_width()} == {0}
    frame["temperature"] = 1.0
    more = {"rows": "temperature", "panel": "model", "stacked": True}
    panels = bars(frame, value="bits", colour="part", caption="", **more).figure.axes
    assert [a.get_title(loc="left") for a in panels if a.get_visible()] == ["a", "b", "a, this machine"]


def test_rows_that_are_numbers_say_what_they_are():
    assert DRAWN["stacked"]().figure.axes[0].get_ylabel() == "Temperature"
    assert DRAWN["forest"]().figure.axes[0].get_ylabel() == ""
    panels = bars(HEAT, value="auroc2", rows="model", panel="temperature", caption="").figure.axes
    assert [axis.get_title(loc="left") for axis in panels] == ["Temperature 0.1", "Temperature 1"]


def test_dots_that_all_stand_level_say_so_and_the_axis_can_be_given():
    frame = pd.DataFrame({"agreement": [i / 20 for i in range(20)], "stated": 10.0})
    level = dots(frame, x="agreement", y="stated", caption="C.", limits=(0, 11))
    assert level.alt.endswith("never varies") and level.figure.axes[0].get_ylim() == (0, 11)


def test_a_long_name_is_broken_behind_its_hyphens():
    drawn = forest(
        MODELS[:2].assign(model="Qwen2.5-Coder-1.5B-Instruct"), value="n", rows="model", caption=""
    )
    (row,) = (label.get_text() for label in drawn.narrow.axes[0].get_yticklabels())
    assert row == "Qwen2.5-Coder-\n1.5B-Instruct"


@pytest.mark.parametrize("draw", [forest, bars])
def test_nothing_to_draw_is_nothing_and_a_missing_column_is_named(draw):
    empty = draw(MODELS[2:], value="auroc2", rows="model", caption="")
    assert draw(MODELS[:0], value="n", rows=["model", "flag"], caption="").figure is None
    assert empty.figure is None and empty._repr_mimebundle_()[0] == {"text/plain": ""}
    with pytest.raises(MetacogError, match="no column meta_d to draw; the columns are: model, auroc2"):
        draw(MODELS, value="meta_d", rows="model", caption="")
    with pytest.raises(MetacogError, match="no column nlp"):
        dots(MODELS, x="nlp", y="auroc2", caption="")


def test_a_table_takes_titles_decimals_and_intervals_from_the_book():
    shown = table(MODELS, "model", "auroc2", "n", "flag", caption="Models.", titles={"n": "Answered"})
    html = shown._repr_html_()
    told = [word in html for word in ("Model", "AUROC2", "0.850", "0.800 to 0.900", "Answered", "Flag")]
    assert told == [*[True] * 5, False]  # no model has a flag
    assert list(read(shown.csv())) == ["model", "auroc2", "auroc2_lower", "auroc2_upper", "n"]
    columns = ["model", "auroc2", "auroc2_lower", "auroc2_upper"]
    assert list(read(table(MODELS, caption="").csv()))[:4] == columns
    with pytest.raises(MetacogError, match="no column nlp to show"):
        table(MODELS, "nlp", caption="")


def test_a_matrix_says_why_and_shades_numbers():
    claims = pd.DataFrame(
        {
            "claim": ["above chance"] * 2,
            "unit": ["a", "b"],
            "answer": ["yes", "not testable"],
            "why": ["", "no wrong answers"],
        }
    )
    shown = matrix(claims, rows="claim", columns="unit", value="answer", why="why", caption="Claims.")
    assert '<td class="yes">yes</td><td class="none" tabindex="0" title="no wrong answers">' in shown.source
    assert read(shown.csv)["why"].tolist()[1] == "no wrong answers"
    of = {"rows": "model", "columns": "temperature", "value": "auroc2", "caption": ""}
    numbers = matrix(HEAT, **of)
    told = matrix(HEAT.assign(why="of 80"), why="why", **of)
    assert 'class="shade-9" tabindex="0" title="of 80">0.900' in told.source
    first, last = HEAT["model"].iloc[[0, -1]]
    told = matrix(HEAT, order=["?", last], **of).source
    assert told.index(f">{last}<") < told.index(f">{first}<") and ">?<" not in told
    assert 'class="shade-0">0.500' in numbers.source and 'class="shade-9">0.900' in numbers.source
    both = pd.concat([HEAT.assign(run="first"), HEAT.assign(run="second", model=HEAT["model"] + "!")])
    told = matrix(both, rows="temperature", columns="model", value="auroc2", caption="").source
    assert '<th scope="col">a</th>' in told and '<th scope="col">a!, second</th>' in told
    with pytest.raises(MetacogError, match="a, 0.1 stands in two rows"):
        matrix(pd.concat([HEAT, HEAT]), **of)


def test_a_matrix_tells_two_runs_of_one_model_apart():
    runs = "reference run", "this machine"
    rows = [("c", "a", "yes", runs[0]), ("c", "a", "no", runs[1]), ("d", "a", "yes", runs[0])]
    rows += [("d", "a", "yes", "this machine"), ("d", "b", "no", "this machine")]
    both = pd.DataFrame(rows, columns=["claim", "unit", "answer", "run"])
    shown = matrix(both, rows="claim", columns="unit", value="answer", caption="").source
    named = ("a", "a, this machine", "b", "b, this machine")
    assert [f">{name}</th>" in shown for name in named] == [True, True, False, True]
    assert shown.count(">yes<") == 2 and shown.count(">no<") == 2  # what both say alike stands once
    more = pd.concat([both, pd.DataFrame([("e", "a", "no", "this machine")], columns=both.columns)])
    shown = matrix(more, rows="claim", columns="unit", value="answer", caption="").source
    assert ">e, this machine</th>" in shown and shown.count("</th>") == 7  # a row of its own makes no column


def test_whole_numbers_are_marked_as_such():
    drawn = lines(
        pd.DataFrame({"tier": [1, 2, 3], "accuracy": [0.1, 0.2, 0.3]}), x="tier", value="accuracy", caption=""
    )
    ticks = drawn.figure.axes[0].get_xticks()
    assert (ticks == ticks.round()).all()


def test_a_column_is_called_as_in_the_book_or_by_its_name():
    assert term("auroc2").title == "AUROC2" and term("not_there") == Term("not there")
    assert title_of("auroc2", {"auroc2": "Area"}) == "Area" and ends_of(MODELS, "accuracy") is None
    assert all(one.title and 0 <= one.digits <= 6 for one in vocabulary().values())
    assert all(isinstance(name, str) for name in vocabulary())  # on, off and no are words here
    assert list(vocabulary()) == sorted(vocabulary())


def test_values_go_by_the_names_of_the_book(monkeypatch):
    said = {
        "model": Term("Model", values={"small": "small one"}),
        "right": Term("Answer", values={True: "right"}),
    }
    monkeypatch.setattr("metacog.report.vocabulary.vocabulary", lambda: said)
    drawn = forest(MODELS, value="accuracy", rows="model", caption="")
    assert drawn.figure.axes[0].get_yticklabels()[0].get_text() == "small one"
    shown = table(MODELS.assign(right=True, n=1), "model", "right", "n", caption="")._repr_html_()
    assert "small one" in shown and shown.count(">right<") == len(MODELS)  # and no number is
    assert "small one" in matrix(MODELS[:1], rows="model", columns="flag", value="n", caption="").source


def test_marks_on_one_line_have_the_interval_of_the_first_and_many_rows_stand_closer():
    def drawn(n, **more):
        rows = pd.DataFrame(
            {"model": [f"m{i}" for i in range(n)], "own": 0.6, "other": 0.5, "low": 0.4, "high": 0.8}
        )
        rows.loc[0, ["own", "other", "low", "high"]] = float("nan")
        ends = ("low", "high")
        return forest(rows, value=["own", "other"], rows="model", caption="c", interval=ends, **more).figure

    one, two = drawn(4, inline=True, missing="no rank"), drawn(4)
    places = {round(float(y), 2) for line in one.axes[0].get_lines() for y in line.get_ydata()}
    assert places <= {0, 1, 2, 3} and [t.get_text() for t in one.axes[0].texts] == ["no rank"]
    spans = [line for line in one.axes[0].get_lines() if len(line.get_xdata()) == 2]
    assert len(spans) == 3 and one.get_figheight() < two.get_figheight()
    assert drawn(40, inline=True).get_figheight() < 10 * one.get_figheight() - 9 * 0.9


def test_a_result_in_which_nothing_was_found_can_be_chosen_from_and_shown():
    """An analysis without trials may store a table of no rows and no columns."""
    nothing = chosen_from(pd.DataFrame([]))
    some = nothing.query("dataset == 'all sets'").sort_values("n")[["model"]]
    assert forest(some, value="n", rows="model", caption="c").figure is None
    assert lines(nothing[nothing["n"].notna()], x="t", value="n", colour="model", caption="c").figure is None
    assert dots(some, x="n", y="m", names="model", caption="c").figure is None
    assert bars(some, value="n", rows="model", caption="c").figure is None
    assert matrix(some, rows="m", columns="n", value="v", caption="c").source == ""
    shown = table(some, "model", "n", interval={"n": ("lower", "upper")}, caption="c")
    assert len(shown.frame) == 0
    assert chosen_from(MODELS) is MODELS


@pytest.mark.parametrize("draw", [forest, bars])
def test_names_of_several_lines_do_not_touch(draw):
    """Oracle: the boxes of the names as drawn for a phone."""
    names = [
        "names a probability of being right, by hand",
        "short",
        "a name that goes over three lines of a phone",
    ]
    rows = pd.DataFrame({"model": names * 2, "way": ["again"] * 3 + ["x"] * 3, "n": range(6)})
    figure = draw(rows, value="n", rows=["model", "way"], caption="c").narrow
    figure.canvas.draw()
    boxes = [tick.label1.get_window_extent() for tick in figure.axes[0].yaxis.get_major_ticks()]
    tops = sorted((box.y0, box.y1) for box in boxes)
    assert len(tops) == 6 and all(a[1] < b[0] for a, b in pairwise(tops))


@pytest.mark.parametrize("shape", ["figure", "narrow"])
@pytest.mark.parametrize("width", [0.012, 0.03, 0.05, 0.11, 1200])
def test_numbers_below_an_axis_do_not_touch(shape, width):
    """Oracle: the boxes of the numbers as drawn."""
    rows = pd.DataFrame(
        {"model": ["a model with a name of two lines that takes room"] * 2, "n": [-width, width]}
    )
    rows["panel"] = ["insightful", "vague"]
    figure = getattr(forest(rows, value="n", rows="model", panel="panel", caption="c"), shape)
    figure.canvas.draw()
    for axis in figure.axes:
        inside = [
            tick.label1.get_window_extent()
            for tick in axis.xaxis.get_major_ticks()
            if axis.get_xlim()[0] <= tick.get_loc() <= axis.get_xlim()[1] and tick.label1.get_visible()
        ]
        assert all(a.x1 + 4 < b.x0 for a, b in pairwise(inside))
    assert len(inside) >= 2


def test_ratios_stand_on_a_logarithmic_axis_and_a_temperature_of_nothing_on_a_plain_one():
    frame = pd.DataFrame({"peer": ["a", "b"], "times": [0.5, 4000.0], "temperature": [0.0, 1.0]})
    assert (
        forest(frame, value="times", rows="peer", log=True, caption="C.").figure.axes[0].get_xscale() == "log"
    )
    warm = lines(frame, x="temperature", value="times", caption="C.").figure.axes[0]
    assert warm.get_xscale() == "linear"


def test_a_column_with_gaps_is_what_its_values_are_and_ends_are_numbers():
    held = pd.Series([False, None], dtype=object)
    rows = pd.DataFrame(
        {"model": ["a", "b"], "holds": held, "n": pd.Series([0, 0], dtype=object), "why": ["", None]}
    )
    shown = table(rows, caption="C.")
    assert ">no<" in shown._repr_html_() and list(read(shown.csv())) == ["model", "holds", "n"]
    with pytest.raises(MetacogError, match="auroc2_lower holds no numbers"):
        table(MODELS.assign(auroc2_lower="x"), "auroc2", caption="C.")


def test_a_hill_stands_above_the_rows_and_is_told():
    hill = pd.DataFrame({"model": "people", "accuracy": [0.2, 0.5, 0.8], "height": [0.0, 2.0, 0.5]})
    how = {"value": "accuracy", "rows": "model", "caption": ""}
    drawn, bare = forest(MODELS, **how, hill=hill), forest(MODELS, **how)
    axis, other = drawn.figure.axes[0], bare.figure.axes[0]
    assert next(one.get_text() for one in axis.get_yticklabels()) == "people"
    assert len(axis.get_yticks()) == len(other.get_yticks()) + 1
    top = axis.lines[-1].get_ydata()
    assert top.argmin() == 1 and top[0] == -0.5 and axis.get_ylim()[1] < top.min()
    assert "people, a hill that is highest at 0.5" in drawn.alt and len(drawn.data) == len(bare.data) + 3
    with pytest.raises(MetacogError, match="height"):
        forest(MODELS, **how, hill=hill.drop(columns="height"))


def test_places_are_kept_to_a_hundredth_and_letters_keep_their_scale():
    thirds = pd.DataFrame({"value": [1 / 3, 2 / 3], "row": ["a", "b"]})
    drawn = forest(thirds, value="value", rows="row", caption="c").svg()
    assert set(re.findall(r"\S+\.\d{6}\b", drawn)) == {'transform="scale(0.015625'}
