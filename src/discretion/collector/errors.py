"""What goes wrong in the server alone: in its settings, its store and the requests that it gets."""

from discretion.errors import DiscretionError


class SettingError(DiscretionError):
    """A setting of the collector that breaks its rule."""

    def __init__(self, name: str, rule: str, value: object) -> None:
        self.name, self.rule, self.value = name, rule, value
        super().__init__(f"{name} {rule}, got {value!r}")


class StoreUnavailable(DiscretionError):
    """A store that does not answer just now; nothing is lost that was acknowledged."""

    def __init__(self, where: str, detail: str) -> None:
        self.where, self.detail = where, detail
        super().__init__(f"{where}: the store does not answer ({detail})")


class StoreFull(StoreUnavailable):
    """A store that has no room; it goes on by itself when there is some."""

    def __init__(self, where: str) -> None:
        super().__init__(where, "there is no room left")


class StoreVersion(DiscretionError):
    """A database that this program does not know how to keep."""

    def __init__(self, where: str, found: object, newest: object) -> None:
        self.where, self.found, self.newest = where, found, newest
        super().__init__(f"{where}: the store is of version {found}, and this program's {newest}")


class BackupError(DiscretionError):
    """A back-up that cannot be made, is not whole, or cannot be put in its place."""

    def __init__(self, where: str, rule: str) -> None:
        self.where, self.rule = where, rule
        super().__init__(f"{where}: {rule}")


class Overloaded(DiscretionError):
    """More at once than is taken; the same may be sent again after so many seconds."""

    def __init__(self, rule: str, retry: int | None = None) -> None:
        self.retry = retry
        super().__init__(rule)


class AccessDenied(DiscretionError):
    """A request that needs a token, or one with another role."""

    def __init__(self, role: str, *, known: bool) -> None:
        self.role, self.known = role, known
        super().__init__(f"a token with the role {role} is needed")


class BodyRefused(DiscretionError):
    """The body of a request that is not read: too large, too slow, or of another kind."""

    def __init__(self, name: str, detail: str) -> None:
        self.name, self.detail = name, detail
        super().__init__(detail)
