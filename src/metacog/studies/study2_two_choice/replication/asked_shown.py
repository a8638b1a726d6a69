"""What was asked, in words: the sets, the way of asking, and the turns of a request."""

from __future__ import annotations

from metacog.collect.labelled import has_pilot, label_of
from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.studies.study2_two_choice.asking.wordings import NUMBERS
from metacog.studies.study2_two_choice.replication.analysis import Asked


def sets(result: Asked) -> str:
    """The set of each task, how many "the" task C deletes, and what chose how hard a task is."""
    settings = result.settings
    asked = result.cells.groupby("task")["asked"].max()
    named = [
        f"task {task} asks about {plural(int(asked[task]), 'sentence')} of *{label_of(source)}*"
        for task, source in settings.tasks.items()
        if task in asked.index
    ]
    parts = [f"Here {listed(named)}."]
    if "C" in settings.tasks and settings.n_deleted > 1:
        what = '"the"' if settings.deleted == "the" else "words of any kind"
        parts.append(
            f"A sentence of task C is complete or has lost {NUMBERS[settings.n_deleted]} {what} at once; in the "
            'paper it loses one "the".'
        )
    piloted = [f"task {task}" for task, source in settings.tasks.items() if has_pilot(source)]
    if piloted:
        parts.append(
            f"The difficulty of {listed(piloted)} was chosen on other sentences, made in the same way, that are "
            "in no analysis (`data/questions/CHANGES.md`)."
        )
    return " ".join(parts)


def way_of_asking(result: Asked) -> str:
    """How answers were taken."""
    asked = result.settings
    if asked.how == "json":
        again = "; a reply in another form is asked for once more" if asked.repair else ""
        return f"Answers were written as strict JSON at T = {asked.temperature:g}{again}."
    shown = f", after {plural(asked.examples, 'answered example')}" if asked.examples else ""
    return (
        "Answers were closed choices: the probabilities that the model gives to the allowed words were read, "
        f"and one was drawn at T = {asked.temperature:g}{shown}. Where an engine gives no probabilities, the "
        "word is looked for in what the model writes."
    )


def prompts(result: Asked) -> str:
    """The first request about one sentence of each task, and what is asked next, as Markdown."""
    parts = []
    for (task, name), turns in result.requests.groupby(["task", "name"], sort=False):
        n = turns["example"].max()
        lines: list[str] = []
        for turn in rows_of(turns[turns["example"] <= 2]):
            if turn.example == 0 and n > 2 and len(lines) == 5:
                lines.append(f"... ({n - 2} more examples)")
            lines.append(f"{turn.role}: {turn.content or '(the decision)'}")
        parts.append(f"**Task {task}, {str(name).lower()}**\n\n```text\n{chr(10).join(lines)}\n```")
    return "\n\n".join(parts)
