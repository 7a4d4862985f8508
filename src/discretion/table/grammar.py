"""What the reports of a plan may be, as the arrays that a compiled reader goes by."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, product

import numpy as np

from discretion.budget.level import stratum_of
from discretion.kernel.read import Bytes, Grammar, Indices
from discretion.mechanism import Form
from discretion.plan import Plan
from discretion.report import FORMAT

Bounds = tuple[int, int, int]  # y without so many low bits is below a limit; ones, or -1


def bounds(form: Form) -> list[Bounds]:
    """Return a form, or each of its inner ones, as integers: ``admits`` for the compiled reader."""
    forms = form.inner or (form,)
    return [(own.n_bits, own.n_outputs, -1 if own.ones is None else own.ones) for own in forms]


@lru_cache(maxsize=8)
def grammar_of(plan: Plan) -> Grammar:
    """Return the grammar of a plan's reports."""
    names, counted = plan.names, (q.counted for q in plan.questions.values())
    index = {part: i for i, part in enumerate(dict.fromkeys(chain.from_iterable(counted)))}
    menus = [
        plan.questions[name].menu[:1] if plan.secret else plan.questions[name].menu
        for name in names
    ]
    rules = [_rules(plan, name, menu) for name, menu in zip(names, menus, strict=True)]
    parts = [[index[part] for part in plan.questions[name].counted] for name in names]
    first = '"y":"' if plan.secret else '"level":'
    heads = [f"{json.dumps(name, ensure_ascii=False)}:{{{first}" for name in names]
    counts, policy = range(1, len(index) + 1), plan.policy
    allowances = (policy.allowance(shared) for shared in counts)
    return Grammar(
        opening=_text(f'{{"format":{FORMAT},"plan":"{plan.id}","round":'),
        before_id=_text(',"id":"'),
        before_answers=_text('","answers":{'),
        before_range=_text(',"range":'),
        before_y=_text(',"y":"'),
        heads=_text("".join(heads)),
        head_ends=_ends(len(head.encode()) for head in heads),
        secret=plan.secret,
        menu=_joined(menus),
        menu_ends=_ends(map(len, menus)),
        ranges=_integers(len(plan.questions[name].ranges) for name in names),
        widths=_integers(plan.questions[name].n_bytes for name in names),
        branches=_integers(len(bounds(_form(plan, name))) for name in names),
        shifts=_joined([[shift for shift, _, _ in own] for own in rules]),
        limits=_joined([[limit for _, limit, _ in own] for own in rules]),
        ones=_joined([[ones for _, _, ones in own] for own in rules]),
        limit_ends=_ends(map(len, rules)),
        parts=_joined(parts),
        part_ends=_ends(map(len, parts)),
        attributes=len(index),
        allowance=_integers((-1, *(-1 if a is None else a for a in allowances))),
        least=_integers((0, *map(policy.least, counts))),
        share_least=plan.share_least,
        most_answers=len(names) if plan.sample is None else plan.sample,
    )


def _rules(plan: Plan, name: str, menu: Sequence[int]) -> list[Bounds]:
    """Return the bounds of y by range, level and inner form."""
    question = plan.questions[name]
    strata = product(range(max(len(question.ranges), 1)), menu)
    forms = (question.law(stratum_of(level, index)).form for index, level in strata)
    return [bound for form in forms for bound in bounds(form)]


def _form(plan: Plan, name: str) -> Form:
    question = plan.questions[name]
    return question.law(question.menu[0]).form


def _text(text: str) -> Bytes:
    return np.frombuffer(text.encode(), np.uint8)


def _integers(values: Iterable[int]) -> Indices:
    return np.fromiter(values, np.int64)


def _joined(lists: Sequence[Sequence[int]]) -> Indices:
    return _integers(value for own in lists for value in own)


def _ends(lengths: Iterable[int]) -> Indices:
    return _integers((0, *accumulate(lengths)))
