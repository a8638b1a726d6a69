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
    "19b7f51be6": "NumPy goes by the first letter of a kind of sort",
    "a347d3bac4": "from version 3 on pandas does it unasked; before, groups without trials would be skipped",
    "5feab44471": "the name of a scale is looked into for a word, which the longer name holds too",
    "5796d42075": "the sign cancels where cells are divided by their sum",
    "9b4ec3b972": "tables have two axes, of which 1 is the last",
    "56e48c0925": "both have one column for each item",
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
    "ee7c1edab9": "how steps are damped: of 16,000 fits of sparse tables 8 end elsewhere",
    "6c61acf8f8": "how steps are damped: of 16,000 fits of sparse tables 121 end elsewhere, and about as many converge",
    "d3c603b134": "where one of eight further searches starts: in 3,000 sparse tables nothing higher or lower is found",
    "a9eaf842d6": "where a search starts: 2,000 sparse tables have the same maxima, after a fifth more steps",
    "3071f0fd56": "where a search starts: it takes one step in twenty more",
    "610d892feb": "two likelihoods that differ by just the margin",
    "462a28e0d6": "a likelihood that falls by just what rounding may take",
    "d74d8858f9": "the words of a table",
    "f38d3cdbfd": "which sizes a table has that asks for none",
    "3af279b6ed": "how many simulations are run where no number is asked for",
    "263dea3d5d": "the sensitivity that is planned with where none is given",
}
