"""Every setting has a rule, and what breaks it is named."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discretion.cli.main import app
from discretion.collector.errors import SettingError
from discretion.collector.settings import SETTINGS, Settings
from discretion.collector.tokens import Role
from tests.cases import for_each
from tests.plans import commuters

GOOD: dict[str, tuple[Any, ...]] = {
    "host": ("0.0.0.0", "::1", "localhost"),
    "port": (0, 1, 65535),
    "watch": ("", "127.0.0.1:9000", "localhost:0", "[::1]:9000"),
    "proxy": ("", "127.0.0.1", "10.0.0.0/8, ::1, 2001:db8::/32"),
    "store": ("sqlite:///x.db", "sqlite:////tmp/x.db", "postgresql://h/d", "postgres://h/d"),
    "asker": ("", "The town of Lyra, privacy@lyra.example", "Bürgeramt"),
    "purpose": ("", "To plan bus lines."),
    "publish_results": (True, False),
    "open": ("", "upload", "upload, analyse", "operate,upload,analyse"),
    "origins": ("", "https://town.example", "http://127.0.0.1:8080, https://a.example:1"),
    "once": (True, False),
    "rate": ("", "1/second", "60/minute", "10 per hour"),
    "body": (1000, 1 << 30),
    "decompressed": (1000, 1 << 30),
    "queue": (1, 1 << 24),
    "retention": (0, 36_500),
    "analysts": (1, 64),
    "patience": (1, 86_400),
    "log": ("debug", "info", "warning", "error"),
}
BAD: dict[str, tuple[Any, ...]] = {
    "host": ("", None, 7),
    "port": (-1, 65536, "80", 80.0, True),
    "watch": ("9000", ":9000", "127.0.0.1:", "h:65536", "::1:9000", "h:9000 ", 9000),
    "proxy": ("nginx", "*", "10.0.0.0/40", "10.0.0.1/8", 1),
    "store": ("", "x.db", "mysql://h/d", "sqlite:/x.db", 1),
    "asker": ("two\nlines", None),
    "purpose": ("\x00", 1),
    "publish_results": ("yes", 1, None),
    "open": ("everybody", "upload;analyse", "Upload", None),
    "origins": (
        "*",
        "town.example",
        "https://town.example/page",
        "https://a@b",
        "https://Town.example",
        1,
    ),
    "once": ("yes", 1, None),
    "rate": ("often", "60/fortnight", "/minute", 60),
    "body": (999, (1 << 30) + 1, "1000"),
    "decompressed": (999, -1),
    "queue": (0, (1 << 24) + 1),
    "retention": (-1, 36_501),
    "analysts": (0, 65, False),
    "patience": (0, 86_401, 1.5),
    "log": ("loud", "", "INFO"),
}


def test_every_setting_is_tried() -> None:
    assert list(GOOD) == list(BAD) == [setting.name for setting in SETTINGS]


def test_defaults_keep_their_rules() -> None:
    settings = Settings.of()
    for setting in SETTINGS:
        assert getattr(settings, setting.name) == setting.default
    assert settings.open_roles == {Role.UPLOAD}


@for_each("name", GOOD)
def test_a_good_value_is_taken_and_a_bad_one_named(name: str) -> None:
    for value in GOOD[name]:
        assert getattr(Settings.of(**{name: value}), name) == value
    setting = next(s for s in SETTINGS if s.name == name)
    for value in BAD[name]:
        with pytest.raises(SettingError) as refused:
            Settings.of(**{name: value})
        assert (refused.value.name, refused.value.value) == (name, value)
        assert str(refused.value) == f"{name} {setting.rule}, got {value!r}"


def test_the_password_of_a_store_is_not_shown() -> None:
    with pytest.raises(SettingError) as refused:
        Settings.of(store="mysql://ana:hunter2@h/d")
    assert "hunter2" not in str(refused.value)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(SettingError, match="colour must be one of the settings"):
        Settings.of(colour="red", port=1)
    with pytest.raises(AttributeError):
        _ = Settings.of().colour


def test_once_needs_tokens_for_uploads() -> None:
    settings = Settings.of(once=True, open="upload,analyse")
    assert settings.open_roles == {Role.ANALYSE}


def test_variables_and_options_are_named_after_the_setting() -> None:
    queue = next(s for s in SETTINGS if s.name == "queue")
    assert (queue.variable, queue.option) == ("DISCRETION_QUEUE", "--queue")


def test_the_command_reads_options_and_variables_and_options_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Settings] = []
    monkeypatch.setattr("discretion.collector.server.serve", lambda _, s, __: served.append(s))
    path, store = tmp_path / "plan.json", f"sqlite:///{tmp_path}/r.db"
    path.write_bytes(commuters().to_bytes())
    variables = {"DISCRETION_STORE": store, "DISCRETION_QUEUE": "7", "DISCRETION_ONCE": "true"}
    command = ["serve", str(path), "--queue", "9"]
    result = CliRunner().invoke(app, command, env={**variables, "DISCRETION_RATE": "5/minute"})
    assert result.exit_code == 0, result.output
    (settings,) = served
    found = (settings.store, settings.queue, settings.once, settings.rate, settings.open_roles)
    assert found == (store, 9, True, "5/minute", frozenset())


def test_who_watches_needs_another_port() -> None:
    with pytest.raises(SettingError, match="another port"):
        Settings.of(port=9000, watch="127.0.0.1:9000")
    both = Settings.of(port=9000, watch="[::1]:9001")
    assert both.addresses == [("127.0.0.1", 9000), ("::1", 9001)]
    assert Settings.of(port=0, watch="127.0.0.1:0").addresses[1] == ("127.0.0.1", 0)
    assert Settings.of().addresses == [("127.0.0.1", 8000)]
