"""The ways of asking for confidence as readers know them. A way is a method with its form."""

#: By method; a form other than the method's usual one is added to the name.
NAMES = {
    "verbal_vanilla": "Verbalised, vanilla",
    "verbal_cot": "Verbalised, CoT",
    "verbal_topk": "Verbalised, top-k",
    "consistency_self_random": "Consistency, self-random",
    "consistency_perturbing": "Consistency, perturbing",
    "consistency_misleading": "Consistency, misleading",
    "token_probability": "Token probability",
    "p_true": "P(True)",
    "decoding_entropy": "Decoding entropy",
}
#: Name of all sets together.
ALL = "all sets"


def way_name(method: str, form: str) -> str:
    """Name of a way of asking for readers."""
    return f"{NAMES[method]} ({form})" if form in ("written", "parsed") else NAMES[method]
