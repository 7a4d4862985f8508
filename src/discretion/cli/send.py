"""``discretion send``: an owner's answers, perturbed on this machine, to a collector."""

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from discretion.budget import Budget, epsilon
from discretion.budget.agreement import bundled
from discretion.cli.consent import DEFAULT_LIMIT, MOST_BY_DEFAULT, Request, by_default
from discretion.cli.options import plan_id
from discretion.device import Delivery, Device, Fate, Outcome, State, UploadClient
from discretion.errors import BudgetError, RecordError, UnknownAttribute
from discretion.plan import Plan
from discretion.render.terminal import console

Url = Annotated[
    str, typer.Argument(metavar="URL", help="A collector: https, or http on this machine.")
]
Answers = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME=VALUE", help="Answers; without any, send what was kept before."),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=EPSILON",
        help="How much an answer may reveal; may be repeated. "
        f"Default: evenly what the plan allows, at most {epsilon(MOST_BY_DEFAULT)} each.",
    ),
]
Named = Annotated[
    str | None,
    typer.Option(
        metavar="ID|FILE",
        help="The plan that the collector must have; it replaces one that was known.",
    ),
]
Limit = Annotated[
    float | None,
    typer.Option(
        metavar="EPSILON",
        help="The most ever to spend; it is kept and can only be lowered. "
        f"Default: {DEFAULT_LIMIT}, which is not kept.",
    ),
]
Window = Annotated[
    int | None,
    typer.Option(
        metavar="ROUNDS",
        help="Take --limit as one over any so many consecutive rounds of the plan, and keep it.",
    ),
]
Every = Annotated[
    int | None,
    typer.Option(
        metavar="ROUNDS",
        help="How often to answer a plan that rotates: once in so many rounds, from its menu. "
        "It is chosen once, and must not depend on answers.",
    ),
]
Allowed = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Allow a question whose values may be reported openly; may be repeated.",
    ),
]
Token = Annotated[
    str | None,
    typer.Option(envvar="DISCRETION_TOKEN", help="What the collector knows owners by, if any."),
]
Memory = Annotated[
    Path | None,
    typer.Option(
        envvar="DISCRETION_STATE",
        help="What this device remembers. Default: a file among the user's settings.",
    ),
]


def send(
    url: Url,
    answers: Answers = None,
    budget: Levels = None,
    round: Annotated[int, typer.Option(help="The round that is answered, or withdrawn.")] = 0,
    plan: Named = None,
    limit: Limit = None,
    window: Window = None,
    every: Every = None,
    allow_open: Allowed = None,
    token: Token = None,
    state: Memory = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Agree to a new plan, changed answers and --show.")
    ] = False,
    same: Annotated[
        bool,
        typer.Option(
            "--same",
            help="The plan asks the same as the one it replaces, in other words: repeat answers.",
        ),
    ] = False,
    show: Annotated[
        bool,
        typer.Option(
            "--show", help="Ask, seal the report and print what would be sent; send nothing."
        ),
    ] = False,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Have the report of the round deleted.")
    ] = False,
) -> None:
    """Perturb answers on this machine, and send the report to the collector at URL.

    The true values stay here. Before anything is sealed under a plan that is new to this device,
    the command shows what the report can reveal, and asks. A report is sealed before it is sent:
    whatever happens on the way, the same bytes are sent again, and nothing is drawn twice.
    """
    given = _pairs(answers or (), "answers", "NAME=VALUE")
    levels = _pairs(budget or (), "budget", "NAME=EPSILON")
    if given and withdraw:
        raise RecordError("answers", "must be none where a report is withdrawn", sorted(given))
    if levels and not given:
        raise BudgetError("a budget must be for answers", ", ".join(levels))
    if window is not None and limit is None:
        raise BudgetError("a window must be that of a limit: --limit", window)
    here = f"{url} --state {shlex.quote(str(state))}" if state else url
    with State(state or _home()) as memory:
        accept = None if plan is None else plan_id(plan)
        client = UploadClient(url, memory, accept=accept, token=token)
        if withdraw:
            _print_outcomes([client.withdraw(round)], here)
            return
        offered, allowed = client.offered(), allow_open or ()
        most = limit if window is None else {"epsilon": limit, "rounds": window}
        device = Device(
            offered, memory, most, token, allow_open=allowed, default_limit=DEFAULT_LIMIT
        )
        if every is not None:
            device.rotate(every)
        _seal(client, device, given, levels, round, yes=yes, same=same, show=show)
        if show:
            _show(device)
        else:
            _print_outcomes(_delivered(client, device, round if given else None), here)


def _seal(
    client: UploadClient,
    device: Device,
    given: Mapping[str, str],
    levels: Mapping[str, str],
    round: int,
    *,
    yes: bool,
    same: bool,
    show: bool,
) -> None:
    """Show the owner what a report can reveal, and seal it if she agrees."""
    _say(f"{client.address} asks by plan {device.plan.name!r}, {device.plan.id}")
    chosen = _budget(device, levels, given) if given else None  # before a value is looked at
    request = Request(device, client.address, given, chosen, round)
    repeated = request.is_same(same=same)
    for line in request.lines():
        _say(line)
    request.agree(yes=yes, show=show)
    client.plan()  # pinned from here on
    if repeated:
        device.adopt()
    if chosen is not None:
        device.report(given, chosen, round)


def _pairs(texts: Iterable[str], what: str, form: str) -> dict[str, str]:
    """Return names and what stands behind their equality sign, as it was written."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise RecordError(what, f"must be written {form}", text)
        if name in pairs:
            raise RecordError(what, "must name everything once", name)
        pairs[name] = value
    return pairs


def _home() -> Path:
    """Return the state that all commands of this user share: one memory, one limit."""
    folder = Path(typer.get_app_dir("discretion"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "device.sqlite"


def _budget(device: Device, levels: Mapping[str, str], names: Iterable[str]) -> Budget:
    """Return the budget from the plan and preferences: levels, and which attributes are shared."""
    plan, names = device.plan, list(names)
    for name in names:
        if name not in plan.attributes:
            raise UnknownAttribute(name, tuple(plan.attributes))
    if not levels and plan.share.weights:
        return by_default(plan, device.view(_shared(plan, names)))
    if not levels and plan.sample is not None:
        return by_default(plan, device.sample({name: 1 for name, _ in plan.share.questions}))
    if not levels:
        return by_default(plan, Budget.even(plan, bundled(plan, _shared(plan, names))))
    chosen = Budget.of(plan, {name: _number(name, text) for name, text in levels.items()})
    shared = {part for name in chosen.levels for part in plan.questions[name].parts}
    deciding = {
        part for name in chosen.levels for part in plan.questions[name].attribute.depends_on
    }
    for name in names:
        if name not in shared | deciding:
            raise BudgetError("every answer must have a --budget, or none of them", name)
    return chosen


def _shared(plan: Plan, names: Iterable[str]) -> list[str]:
    """Return the named attributes, and each that only these decide about.

    It is shared whether it applies or not: what is shared must not depend on the answers.
    """
    shared = {*names}
    for name, attribute in plan.attributes.items():
        if attribute.depends_on and attribute.depends_on <= shared:
            shared.add(name)
    return [name for name in plan.attributes if name in shared]


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BudgetError(f"{name}: budget must be a number", repr(text)) from None


def _show(device: Device) -> None:
    """Print what the next call would send, byte for byte."""
    for round, report in device.outbox():
        _say(f"round {round} would send {len(report)} bytes:")
        print(report.decode("ascii"))
    for round, receipt in device.state.withdrawals(device.plan.id):
        _say(f"round {round} would be withdrawn with the receipt {receipt.hex()}")
    _say("nothing was sent")


def _delivered(client: UploadClient, device: Device, answered: int | None) -> list[Delivery]:
    """Deliver, and return what became of all; also of the answered round, if it was sent before."""
    deliveries = client.deliver()
    if answered is None or any(delivery.round == answered for delivery in deliveries):
        return deliveries
    if outcome := device.state.withdrawn(device.plan.id, answered):
        return [*deliveries, Delivery(answered, outcome, "before", withdrawal=True)]
    fate = device.fate(answered) or Fate(Outcome.ACCEPTED)
    reason = f"before; {fate.reason}" if fate.reason else "before"
    return [*deliveries, Delivery(answered, fate.outcome, reason)]


def _print_outcomes(deliveries: list[Delivery], here: str) -> None:
    """Print what became of each message; leave with status 1 if one did not get through."""
    if not deliveries:
        _say("nothing to send")
    for delivery in deliveries:
        what = f"{'withdrawal of ' if delivery.withdrawal else ''}round {delivery.round}"
        why = f" ({delivery.reason})" if delivery.reason else ""
        _say(f"{what}: {delivery.outcome}{why}")
        if hint := _hint(delivery, here):
            _say(f"  {hint}")
    if not all(delivery.settled for delivery in deliveries):
        raise typer.Exit(1)


def _hint(delivery: Delivery, here: str) -> str:
    """Return what can be done next, if anything."""
    match delivery.outcome:
        case Outcome.KEPT:
            return f"discretion send {here} sends the same bytes again"
        case Outcome.DROPPED:
            return "it is never sent again, and its round never drawn again"
        case Outcome.ACCEPTED | Outcome.DUPLICATE:
            return f"discretion send {here} --withdraw --round {delivery.round} deletes it"
    return ""


def _say(text: str) -> None:
    console().print(text, soft_wrap=True)
