"""Old addresses of pages. Oracle: the list of what has moved, and the table of contents."""

import pytest
import yaml

from metacog.book.moved import LISTING, moved, write_moved
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root


def a_book(folder, **pages):
    (folder / "book").mkdir()
    (folder / LISTING).write_text(yaml.safe_dump(pages))
    site = folder / "site"
    (site / "_executed").mkdir(parents=True)
    (site / "_executed/new.html").write_text("now")
    return site


def test_an_old_address_leads_to_the_new_one(tmp_path):
    site = a_book(tmp_path, **{"_executed/old": "_executed/new#part"})
    write_moved(tmp_path, site)
    assert 'url=../_executed/new.html#part"' in (site / "_executed/old.html").read_text()


def test_a_book_from_which_nothing_has_moved_needs_no_list(tmp_path):
    assert moved(tmp_path) == {}


def test_it_leads_nowhere_else_and_takes_no_page_away(tmp_path):
    site = a_book(tmp_path, **{"_executed/old": "_executed/gone"})
    with pytest.raises(MetacogError, match="moved to _executed/gone, which is no page"):
        write_moved(tmp_path, site)
    (tmp_path / LISTING).write_text("_executed/new: _executed/new")
    with pytest.raises(MetacogError, match="is still a page"):
        write_moved(tmp_path, site)
    assert (site / "_executed/new.html").read_text() == "now"


def test_what_has_moved_is_no_page_any_more_and_leads_to_one():
    contents = (project_root() / "_toc.yml").read_text()
    for old, new in moved(project_root()).items():
        assert f"file: {old}\n" not in contents and f"{new.partition('#')[0]}\n" in contents, old
