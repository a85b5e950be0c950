"""The page for adjudicators in a real browser, from the keyboard: Chromium and its driver must be installed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager
from dataclasses import replace

import pytest

from corr2cause.spans.annotating.comparing import compare_rows
from corr2cause.spans.annotating.store import Store
from corr2cause.spans.rows import Pair
from tests.cli.running import COMMAND, environment
from tests.spans.annotating.annotations import doubled, store

pytestmark = pytest.mark.consumers

EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


@contextmanager
def served(ours: Store, port: int = 0):
    """Serve a file of adjudication; yield the address and the process."""
    command = [*COMMAND, "spans", "adjudicate", "--db", str(ours.path), "--author", "eve", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1"))
    try:
        yield re.search(r"http\S+", server.stdout.readline())[0], server
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    selenium = pytest.importorskip("selenium.webdriver")
    program, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if not (program and driver):
        pytest.skip("there is no Chromium with its driver here")
    options = selenium.ChromeOptions()
    options.binary_location = program
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
    folder = f"--user-data-dir={tmp_path_factory.mktemp('profile')}"
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", *quiet, folder):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = selenium.Chrome(options=options, service=selenium.ChromeService(driver))
    found.set_window_size(1200, 900)
    yield found
    found.quit()


class Person:
    """Somebody at the keyboard."""

    def __init__(self, browser, address: str) -> None:
        self.browser = browser
        browser.get(address)

    def type(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def waits(self, condition) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, 20, poll_frequency=0.05).until(lambda _: condition())

    def types_and_waits_for(self, ours: Store, n_decisions: int, *keys: str) -> None:
        """Type, and wait until so many decisions are in the file and the next page is there."""
        before = self.element("body")
        self.type(*keys)
        self.waits(lambda: len(Store(ours.path).log()) == n_decisions)
        self.waits(
            lambda: self.is_gone(before) and self.browser.execute_script("return document.readyState") == "complete"
        )

    def is_gone(self, element) -> bool:
        from selenium.common.exceptions import StaleElementReferenceException

        try:
            return not element.is_enabled()
        except StaleElementReferenceException:
            return True

    def element(self, css: str):
        return self.browser.find_element("css selector", css)

    def elements(self, css: str):
        return self.browser.find_elements("css selector", css)

    def texts(self, css: str) -> list[str]:
        return [one.text for one in self.elements(css)]


def test_a_whole_queue_from_the_keyboard(tmp_path, browser):
    from selenium.webdriver import Keys

    ours = store(tmp_path)
    with served(ours) as (address, _):
        eve = Person(browser, address)
        assert "token" not in browser.current_url
        eve.type(Keys.ENTER)
        eve.waits(lambda: browser.current_url.endswith("/row/0"))
        assert [(one.text, one.get_attribute("class")) for one in eve.elements("#passage .cause")] == [
            ("Chronic", "cause cause-partly"), ("sleep loss", "cause"),
        ]  # fmt: skip
        eve.types_and_waits_for(ours, 1, "1")
        assert eve.texts(".item.current h2") == ["Pair 2"]
        eve.types_and_waits_for(ours, 2, "e", "Sleep", Keys.TAB, "immunity", Keys.ENTER)
        eve.types_and_waits_for(ours, 3, "d", "vague span", Keys.ENTER)
        assert "/row/1" in browser.current_url
        eve.types_and_waits_for(ours, 4, "a", "The river rose", Keys.TAB, "flooded both villages", Keys.ENTER)
        eve.types_and_waits_for(ours, 5, "k", "k", "b")
        assert "/row/3" in browser.current_url
        eve.types_and_waits_for(ours, 6, "d", "hedged", Keys.ENTER)
        eve.types_and_waits_for(ours, 7, "2")
        assert eve.texts(".lead .done") == ["Every row is settled."]
        assert not browser.get_log("browser")
    log = ours.log()
    assert [str(one.decision.action) for one in log] == [
        "accept-1", "edit", "drop", "add", "accept-both", "drop", "accept-2",
    ]  # fmt: skip
    assert log[1].decision.pair == Pair("Sleep", "immunity", "Implicit", "Intra")
    assert log[3].decision.pair == Pair("The river rose", "flooded both villages", "Explicit", "Intra")


def test_what_is_selected_in_the_passage_goes_into_the_field(tmp_path, browser):
    ours = store(tmp_path)
    with served(ours) as (address, _):
        eve = Person(browser, address)
        browser.get(browser.current_url + "row/0")
        eve.type("e")
        browser.execute_script(
            "const line = document.querySelector('#passage li'); const range = document.createRange();"
            "range.selectNodeContents(line); getSelection().removeAllRanges(); getSelection().addRange(range);"
            "document.getElementById('passage').dispatchEvent(new MouseEvent('mouseup', {bubbles: true}));"
        )
        field = eve.element(".item.current [name=cause]")
        assert (
            field.get_property("value")
            == "Chronic sleep loss leads to raised blood pressure and weakens the immune response."
        )


def test_text_that_is_html_stays_text(tmp_path, browser):
    evil = Pair(EVIL, f"{EVIL} too", "Explicit", "Intra")
    rows = [
        one._replace(ours=replace(one.ours, sentence=EVIL, pairs=(evil,)), theirs=replace(one.theirs, sentence=EVIL))
        for one in doubled()
    ]
    with served(store(tmp_path, compare_rows(rows))) as (address, _):
        eve = Person(browser, address)
        for path in ("", "row/0", "row/1"):
            browser.get(address.partition("?")[0] + path)
            assert browser.title != "owned"
            assert not browser.find_elements("css selector", "img")
            assert "<img src=x" in eve.element("main").text
        assert not browser.get_log("browser")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_another_site_can_neither_decide_nor_read(tmp_path, browser, host):
    """Another origin, in the browser that holds the cookie, sends the form of a decision and asks for a row.

    Browsers count the ports of a host as one site, so that under 127.0.0.1 the cookie is sent.
    """
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    ours = store(tmp_path)
    with served(ours) as (address, _):
        home, token = address.split("?token=")
        Person(browser, address)
        attack = f"""<form method="post" action="{home}row/0"><input name="token" value="{token}">
            <input name="seen" value="0"><input name="item" value="0"><input name="action" value="accept-1"></form>
            <iframe src="{home}row/0"></iframe>
            <script>fetch("{home}row/0", {{credentials: "include"}}).then((r) => r.text()).then(() => {{
              document.title = "read" }}, () => {{ document.title = "refused" }})</script>"""

        class Site(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(attack.encode())

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
            Thread(target=site.serve_forever, daemon=True).start()
            eve = Person(browser, f"http://{host}:{site.server_address[1]}/")
            eve.waits(lambda: browser.title in ("read", "refused"))
            assert browser.title == "refused"
            browser.execute_script("document.forms[0].submit()")
            eve.waits(lambda: "/row/0" in browser.current_url)
            assert "This request comes from another site." in eve.element("main").text
            site.shutdown()
        browser.get_log("browser")
    assert ours.log() == []


def test_the_server_is_killed_between_clicks(tmp_path, browser):
    """After each click the server dies; a new one at the same address goes on, and the page only needs its token."""
    ours = store(tmp_path)
    port = 0
    for number in range(1, 4):
        with served(ours, port) as (address, server):
            port = int(re.search(r":(\d+)/", address)[1])
            eve = Person(browser, address)
            browser.get(address.partition("?")[0] + "row/0")
            keys = ("d", f"reason {number}", "\ue007")
            eve.types_and_waits_for(ours, number, *keys)
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
        assert [one.decision.reason for one in Store(ours.path).log()] == [f"reason {n}" for n in range(1, number + 1)]
