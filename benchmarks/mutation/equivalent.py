"""Changes that no test can notice, each with the reason, and survivors that are left, by the name of the mutant."""

#: The changed program does the same.
EQUIVALENT: dict[str, str] = {
    "eb24bb80de": "what cannot be more similar is looked at all the same, and does not win",
    "17773c72ff": "what cannot be more similar is looked at all the same, and does not win",
    "4c10b02d4a": "a bound is not asked where the best is 0, and the similarity itself decides the same",
    "4dbdc6e4e7": "both have one item for each alias",
    "72caf68f99": "it is what zip does without being told",
    "1b0d8f1b81": "a colon has to follow a name, so that a longer one is found whichever is tried first",
    "f22e04fcb0": "NumPy reads the first letter of a kind of sorting",
}
#: It does something else, and no test says so: why that is left.
LEFT: dict[str, str] = {
    "1edb05bfde": "where a text stands among no aliases at all, of which no caller asks",
    "90769b129f": "the words of a rule, for a file whose stated precision lies between 1e-5 and 2e-5",
    "7790d7ed4a": "the words of a table",
    "c22b53ee2c": "the words of a table",
    "4697834fec": "the words of a table",
    "9115aeb8c4": "the words of a table",
    "84db351c97": "the words of a table",
    "0b3e03c0d6": "the words of a table",
    "c862417eef": "the words of a table",
    "c37c14706d": "the words of a rule",
    "961fbe22cb": "the words of a sentence",
    "a8fb2c07c5": "both are of one table, and would differ in length only if it were to be named by no column",
}
