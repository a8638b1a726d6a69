"""The six classes that the study sorts its questions into, and the words a model is asked with.

Sports and Pop Culture count as unclassified (arXiv 2603.25112).
"""

from __future__ import annotations

from metacog.collect.labels import Scheme
from metacog.collect.questions import UNCLASSIFIED

PREFIX = """\
Sort each question into one class: Science, History, Geography, Arts, Sports or Pop Culture.

Question: What gas do plants take in from the air?
Class: Science
Question: Who was king of England in 1066?
Class: History
Question: Which river flows through Vienna?
Class: Geography
Question: Who painted The Night Watch?
Class: Arts
Question: How many players are there in a rugby union team?
Class: Sports
Question: Which actor played Indiana Jones?
Class: Pop Culture
Question: What is the boiling point of nitrogen?
Class: Science
Question: Which novel begins with the words "Call me Ishmael"?
Class: Arts
Question: What is the capital of Mongolia?
Class: Geography
Question: In which year did the First World War end?
Class: History
"""

SCHEME = Scheme(
    classes={
        "Science": "Science & Technology",
        "History": "History & Politics",
        "Geography": "Geography",
        "Arts": "Arts & Literature",
        "Sports": UNCLASSIFIED,
        "Pop Culture": UNCLASSIFIED,
    },
    prefix=PREFIX,
    template="Question: {question}\nClass:",
    temperature=0.1,
)
