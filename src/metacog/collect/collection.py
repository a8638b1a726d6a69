"""What a study says about one kind of asking: its items, how each is put to a model, how replies are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd
import pandera.pandas as pa

from metacog.engines.requests import Asking, Reply

if TYPE_CHECKING:
    from metacog.collect.models import ModelEntry
    from metacog.engines.capabilities import Capabilities


#: What becomes of closed choices where an engine cannot score options; for :attr:`Collection.without`.
PARSED: Mapping[str, str] = {
    "score_options": "choices are written out, parsed and counted as parsed, held to the options where the server can"
}


@dataclass(frozen=True)
class Needed:
    """Trials of another collection of the study, for the same model and set, and the digest of their replies."""

    trials: pd.DataFrame
    replies: str


class Collection(ABC):
    """One kind of asking of a study. Nothing here knows of batches, engines, seeds or resuming."""

    name: ClassVar[str]
    #: Columns that identify a trial, in addition to study, model and question set.
    key: ClassVar[tuple[str, ...]] = ("question_id",)
    #: The study's own columns of the trial table.
    block: ClassVar[pa.DataFrameSchema] = pa.DataFrameSchema({})
    #: Collections of the same study whose trials :meth:`items` is handed.
    needs: ClassVar[tuple[str, ...]] = ()
    #: Every item is asked in one step and no more, so an engine may read the shared prompt of a whole block once
    #: and keep no conversation's cache.
    one_turn: ClassVar[bool] = False
    #: What an engine must be able to do (:class:`metacog.engines.capabilities.Capabilities`); of one that cannot,
    #: the collection is left out by name.
    requires: ClassVar[tuple[str, ...]] = ()
    #: What becomes of a trial where an engine cannot do something that the collection can do without.
    without: ClassVar[Mapping[str, str]] = {}

    def for_model(self, settings: Any, entry: ModelEntry) -> Any:
        """The settings as they are for one model, where its entry in the registry has a say in them."""
        return settings

    def asked_once(self, settings: Any) -> bool:
        """Whether these settings keep to one step; see ``one_turn``."""
        return self.one_turn

    def refusal(self, settings: Any, can: Capabilities) -> str:
        """Why these settings cannot be asked of an engine and must be changed; empty if they can be."""
        return ""

    def sets(self, settings: Any) -> Mapping[str, Any]:
        """Sets the items are kept apart by, each with its settings."""
        return {"items": settings}

    def block_items(self, settings: Any) -> int:
        """Items asked together; the unit of resuming, and part of what decides the last bits."""
        return int(settings.block_items)

    def settings_key(self, settings: Any) -> Any:
        """Settings as the key of a run holds them that goes on from another collection's trials."""
        return asdict(settings) if is_dataclass(settings) and not isinstance(settings, type) else settings

    def later(self, settings: Any) -> Any:
        """What requests after the first of a conversation depend on; part of a run's key. None adds nothing.

        The key holds all first requests. Where a later one changes and the first do not, a run would
        otherwise keep its key and be asked again in place.
        """
        return None

    def together(self, item: Any) -> tuple[str, str]:
        """The stratum of an item, and its group, where a share of the items is asked.

        A group is kept or left out as one, and of every stratum two groups are kept at least.
        """
        return "", item.id

    def declared(self, settings: Any) -> Mapping[str, Any]:
        """What the manifest is to hold before anything is asked, in addition to what decides the replies.

        For rules that replies will be judged by and that no reply may influence.
        """
        return {}

    @abstractmethod
    def items(self, settings: Any, needed: Mapping[str, Needed]) -> Iterable[Any]:
        """The items, in order; the same settings give the same items.

        Each has an ``id`` of its own within the collection, on which replies and seeds depend; ``index`` and
        ``domain`` are used where an item has them.
        """

    @abstractmethod
    def ask(self, item: Any, settings: Any) -> Asking:
        """Put one item to the model: yield requests, be sent their replies."""

    @abstractmethod
    def read(self, item: Any, replies: Sequence[Reply], settings: Any) -> Iterable[Mapping[str, Any]]:
        """Rows of trials from an item's replies; pure, run again whenever it changes.

        Give the study's own columns and those of :data:`metacog.trials.COLUMNS` that apply; identity
        and what is left out are filled in.
        """
