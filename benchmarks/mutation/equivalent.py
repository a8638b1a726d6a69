"""Changes that no test can notice, each with the reason, and survivors that are left, by the name of the mutant."""

#: The changed program does the same.
EQUIVALENT: dict[str, str] = {}
#: It does something else, and no test says so: why that is left.
LEFT: dict[str, str] = {}
