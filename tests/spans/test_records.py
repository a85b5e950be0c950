"""PubMed XML: what is read of it, and what is refused."""

from __future__ import annotations

import gzip
from contextlib import suppress
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import Corr2CauseError, FileError
from corr2cause.spans.pubmed import records
from corr2cause.spans.pubmed.records import Abstract, read_abstracts, xml_files
from tests.spans.corpus import write
from tests.spans.pubmed_files import article, article_set


def read(folder, content: str | bytes) -> list[Abstract]:
    path = folder / "f.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_abstracts(path))


def test_parts_are_lines_without_their_headings(tmp_path):
    found = read(tmp_path, article_set(article(1, "Frost came. ", "  It\nwent."), article(2), article(3, "A & B.")))
    assert found == [Abstract("1", "Frost came.\nIt went."), Abstract("2", ""), Abstract("3", "A & B.")]


def test_markup_inside_a_part_is_text(tmp_path):
    inside = "H<sub>2</sub>O of <i>E. <b>coli</b></i> &#x3b1; <![CDATA[<x>]]>"
    assert read(tmp_path, article_set(article(1, inside, markup=True))) == [Abstract("1", "H2O of E. coli α <x>")]


def test_medline_sets_and_books(tmp_path):
    abstract = "<Abstract><AbstractText>One.</AbstractText></Abstract>"
    citation = f"<MedlineCitation><PMID>5</PMID><Article>{abstract}</Article></MedlineCitation>"
    assert read(tmp_path, f"<MedlineCitationSet>{citation * 2}</MedlineCitationSet>") == [Abstract("5", "One.")] * 2
    book = "<BookDocument><PMID>6</PMID><Abstract><AbstractText>Two.</AbstractText></Abstract></BookDocument>"
    assert read(tmp_path, f"<S><PubmedBookArticle>{book}</PubmedBookArticle></S>") == [Abstract("6", "Two.")]
    assert read(tmp_path, citation) == [Abstract("5", "One.")]


def test_compressed_files_and_folders(tmp_path):
    (tmp_path / "b.xml.gz").write_bytes(gzip.compress(article_set(article(2, "B.")).encode()))
    write(tmp_path / "a.xml", article_set(article(1, "A.")))
    write(tmp_path / "notes.txt", "no XML")
    files = xml_files(tmp_path)
    assert [file.name for file in files] == ["a.xml", "b.xml.gz"]
    assert [one.pmid for file in files for one in read_abstracts(file)] == ["1", "2"]
    assert xml_files(tmp_path / "a.xml") == [tmp_path / "a.xml"]


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefg", "bcdefgh", strict=True))
    + "]><x>&h;</x>"
)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (BOMB, "this XML declares entities"),
        ('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>', "this XML declares entities"),
        ('<!DOCTYPE x [<!ENTITY % y SYSTEM "http://127.0.0.1/">%y;]><x/>', "this XML declares entities"),
        (article_set(article(1, "A."))[:-30], "this is not whole XML"),
        ("", "this is not whole XML"),
        (article_set(article(1, "A &alpha; B.", markup=True)), "line 4 holds the entity &alpha;, which it does not"),
        (article_set(article("&one;1", "A.")).replace("&amp;", "&"), "holds the entity &one;"),
        ("<html><body>Sign in</body></html>", "it holds no record of PubMed but <html>"),
        ("{}", "this is not whole XML"),
        ('<?xml version="1.0" encoding="klingon"?><x/>', "this"),
        ("<x>&nbsp;</x>", "this is not whole XML"),
        (gzip.compress(article_set(article(1, "A.")).encode(), mtime=0)[:-12], "compressed, but damaged"),
        (b"\x1f\x8b and then nothing of the kind", "compressed, but damaged"),
    ],
    ids=[
        "bomb",
        "file",
        "address",
        "cut",
        "empty",
        "skipped",
        "in a number",
        "page",
        "json",
        "encoding",
        "entity",
        "cut gzip",
        "no gzip",
    ],
)
def test_what_is_no_whole_file_is_refused_in_one_line(tmp_path, content, problem):
    with pytest.raises(FileError, match=problem) as raised:
        read(tmp_path, content)
    assert "\n" not in str(raised.value)


def test_a_record_without_an_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "_LONGEST_RECORD", 1000)
    monkeypatch.setattr(records, "_READ_AT_ONCE", 100)
    assert len(read(tmp_path, article_set(*(article(k, "A.") for k in range(50))))) == 50
    with pytest.raises(FileError, match="larger than any of PubMed"):
        read(tmp_path, article_set(article(1, "A" * 2000)))


def test_a_folder_without_xml_is_told(tmp_path):
    with pytest.raises(FileError, match=r"there are no .xml or .xml.gz files"):
        xml_files(tmp_path)
    with pytest.raises(FileError, match="there is no such file"):
        xml_files(tmp_path / "none")


@given(st.lists(st.lists(st.text(st.sampled_from("aé&<> \n"), max_size=8), max_size=3), min_size=1, max_size=4))
def test_another_parser_reads_the_same(tmp_path_factory, texts):
    content = article_set(*(article(k, *parts) for k, parts in enumerate(texts)))
    expected = [
        Abstract(
            record.findtext("PMID"),
            "\n".join(
                filter(
                    None,
                    (" ".join("".join(t.itertext()).split()) for t in record.iterfind("Article/Abstract/AbstractText")),
                )
            ),
        )
        for record in ElementTree.fromstring(content).iter("MedlineCitation")
    ]
    assert read(tmp_path_factory.mktemp("xml"), content) == expected


@given(st.integers(0, 700), st.binary(max_size=6))
def test_any_damage_is_read_or_refused(tmp_path_factory, place, damage):
    content = article_set(article(1, "A."), article(2, "B.")).encode()
    with suppress(Corr2CauseError):
        assert all(
            isinstance(one, Abstract)
            for one in read(tmp_path_factory.mktemp("xml"), content[:place] + damage + content[place + 1 :])
        )


def test_a_set_without_records_is_a_file_as_any_other(tmp_path):
    assert read(tmp_path, article_set()) == []
    assert read(tmp_path, "<MedlineCitationSet/>") == []
