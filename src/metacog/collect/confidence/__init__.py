"""Ways of asking a model how sure it is, for any binary choice; nothing here knows of a study.

A way (:class:`Method`) is a generator: it yields requests, is sent their replies and returns what came
out (:class:`Elicited`), so asking and reading are one function. :func:`together` asks several ways about one
question in one conversation, :func:`replayed` reads stored replies again. What confidence in an open answer
is taken from is chosen among the signals of :mod:`metacog.collect.confidence.signals`.
"""
