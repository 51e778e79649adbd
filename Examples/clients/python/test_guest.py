"""The app's login flow in a replayed hotel: pytest."""

import os
import pathlib

import pytest

from guest import Guest
from probekit_replay import Replay, ReplayError

HOTEL = str(pathlib.Path(__file__).parent.parent / "hotel")


@pytest.fixture
def portal():
    with Replay(HOTEL, program=os.environ.get("PROBEKIT", "probekit")) as replay:
        yield replay


@pytest.fixture
def guest(portal):
    return Guest(portal.http)


def test_a_guest_logs_in_and_the_session_ends(portal, guest):
    assert guest.status() == "captive"
    assert guest.login("12")
    assert portal.state("hotel") == "open"
    assert guest.status() == "online"
    # The hotel ends the session.
    portal.set_state("hotel", "captive")
    assert guest.status() == "captive"


def test_the_room_is_sent_once(portal, guest):
    guest.login("12")
    (login,) = portal.wait_for("POST http://login.hotel.example/login")
    assert login["body"] == "room=12"
    assert portal.requests(unmatched="true") == []


def test_a_broken_login_is_retried(portal, guest):
    portal.set_fault("hotel", "login", kind="rst-early", requests=[1, 2])
    assert guest.login("12")
    assert len(portal.requests(route="login")) == 3
    assert guest.status() == "online"


def test_a_closed_port_is_offline(portal, guest):
    portal.set_mode("http", "refused")
    assert guest.status() == "offline"
    portal.set_mode("http", None)
    assert guest.status() == "captive"


def test_an_error_suggests_the_fix(portal):
    with pytest.raises(ReplayError, match="did you mean open"):
        portal.set_state("hotel", "opne")
