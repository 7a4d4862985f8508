"""Who may do what: tokens, of which only hashes are kept, and the roles they have."""

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum

from discretion.collector.errors import SettingError
from discretion.collector.store.audit_log import COMMAND, note
from discretion.collector.store.database import Database

TOKEN_BYTES = 32


class Role(StrEnum):
    """What a token lets one do."""

    UPLOAD = "upload"
    ANALYSE = "analyse"
    OPERATE = "operate"


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    name: str
    roles: frozenset[Role]
    plan: str | None = None  # the id of the only plan it is for; None: all plans of the store


class Tokens:
    """The tokens of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, name: str, roles: frozenset[Role], plan: str | None = None) -> str:
        """Make a token, and return its secret, which is shown once and kept nowhere.

        ``plan`` is the id of the only plan that it is for; it may be collected later.
        """
        secret = secrets.token_urlsafe(TOKEN_BYTES)
        insert = (
            "INSERT INTO tokens (name, hash, roles, plan) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING"
        )
        with self._database.writing() as session:
            listed = ",".join(sorted(roles))
            if not session.run(insert, name, hashed(secret), listed, plan):
                raise SettingError("name", "must not be another token's", name)
            note(session, COMMAND, "token", f"new {name}: {listed}", plan)
        return secret

    def listed(self) -> list[Token]:
        with self._database.reading() as session:
            rows = session.rows("SELECT name, roles, plan FROM tokens ORDER BY name")
        return [Token(name, _roles(roles), plan) for name, roles, plan in rows]

    def revoke(self, name: str) -> bool:
        with self._database.writing() as session:
            rows = session.rows("SELECT plan FROM tokens WHERE name = ?", name)
            for (plan,) in rows:
                session.run("DELETE FROM tokens WHERE name = ?", name)
                note(session, COMMAND, "token", f"revoke {name}", plan)
        return bool(rows)

    def find(self, secret: str, plan: str) -> Token | None:
        """Return the token of a secret, if there is one for a plan: others are not known there."""
        query = "SELECT name, roles, plan FROM tokens WHERE hash = ? AND (plan = ? OR plan IS NULL)"
        with self._database.reading() as session:
            rows = session.rows(query, hashed(secret), plan)
        return Token(rows[0][0], _roles(rows[0][1]), rows[0][2]) if rows else None


def hashed(secret: str) -> bytes:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def _roles(text: str) -> frozenset[Role]:
    return frozenset(map(Role, text.split(",")))
