"""A council's survey as residents read it: twelve questions, in sections and three languages."""

from functools import cache
from typing import Any

from discretion.plan import Plan


def _in(en: str, de: str, ar: str) -> dict[str, str]:
    return {"en": en, "de": de, "ar": ar}


def _labels(**labels: dict[str, str]) -> list[dict[str, Any]]:
    return [{"code": code, "label": label} for code, label in labels.items()]


YES = _in("Yes", "Ja", "نعم")
NO = _in("No", "Nein", "لا")
UNSAID = _in("I would rather not say", "Möchte ich nicht sagen", "أفضّل عدم الإجابة")
OFTEN = _labels(
    never=_in("Never", "Nie", "أبدًا"),
    weekly=_in("Every week", "Jede Woche", "كل أسبوع"),
    daily=_in("Every day", "Jeden Tag", "كل يوم"),
)
TRAVEL = {
    "name": "travel",
    "kind": "categorical",
    "question": _in(
        "How do you usually get to work, to school or to wherever you go on most days?",
        "Wie kommen Sie meistens zur Arbeit, zur Schule oder dorthin, wo Sie täglich sind?",
        "كيف تذهب عادةً إلى العمل أو المدرسة أو حيث تذهب في معظم الأيام؟",
    ),
    "help": _in(
        "If you change on the way, name what takes longest.",
        "Wenn Sie umsteigen, nennen Sie, was am längsten dauert.",
        "إذا كنت تبدّل في الطريق، فاذكر ما يستغرق أطول وقت.",
    ),
    "values": _labels(
        car=_in("By car", "Mit dem Auto", "بالسيارة"),
        transit=_in(
            "By bus, tram or underground",
            "Mit Bus, Tram oder U-Bahn",
            "بالحافلة أو الترام أو المترو",
        ),
        bike=_in("By bike (or e-bike)", "Mit dem Rad (oder E-Bike)", "بالدراجة (أو الكهربائية)"),
        walk=_in("On foot", "Zu Fuß", "سيرًا على الأقدام"),
    ),
}
AGE = {
    "name": "age",
    "kind": "categorical",
    "question": _in("How old are you?", "Wie alt sind Sie?", "كم عمرك؟"),
    "values": ["0-17", "18-44", "45-64", "65+"],
}
INCOME = {
    "name": "income",
    "kind": "numeric",
    "range": [0, 20000],
    "step": 100,
    "question": _in(
        "What does your household earn in a month?",
        "Wie viel verdient Ihr Haushalt im Monat?",
        "كم يكسب منزلك في الشهر؟",
    ),
    "help": _in("After taxes.", "Nach Steuern.", "بعد الضرائب."),
    "unit": _in("€ per month", "€ im Monat", "يورو شهريًا"),
}


def _of(name: str, question: dict[str, str], values: list[dict[str, Any]]) -> dict[str, Any]:
    return {"name": name, "kind": "categorical", "question": question, "values": values}


GARDENERS = {"applies": {"garden": ["yes"]}}
VOTERS = {"applies": {"age": ["18-44", "45-64", "65+"]}}
SHORT = [
    _of("garden", _in("Do you have a garden?", "Haben Sie einen Garten?", "هل لديك حديقة؟"),
        _labels(yes=YES, no=NO)),
    _of("grow", _in("Do you grow vegetables in it?", "Bauen Sie darin Gemüse an?",
                    "هل تزرع فيها الخضار؟"), _labels(yes=YES, no=NO)) | GARDENERS,
    _of("rent", _in("Do you rent your home?", "Wohnen Sie zur Miete?", "هل تستأجر مسكنك؟"),
        _labels(yes=YES, no=NO, unsaid=UNSAID)),
    _of("park", _in("How often are you in a park?", "Wie oft sind Sie in einem Park?",
                    "كم مرة تذهب إلى حديقة عامة؟"), OFTEN),
    {
        "name": "moved",
        "kind": "date",
        "range": ["2016-01-01", "2025-12-31"],
        "question": _in("When did you move here?", "Wann sind Sie hierher gezogen?",
                        "متى انتقلت إلى هنا؟"),
    },
    _of("noise", _in("Does noise disturb you at night?", "Stört Sie nachts Lärm?",
                     "هل تزعجك الضوضاء ليلًا؟"), _labels(yes=YES, no=NO)),
    _of("safe", _in("Do you feel safe at night?", "Fühlen Sie sich nachts sicher?",
                    "هل تشعر بالأمان ليلًا؟"), _labels(yes=YES, no=NO, unsaid=UNSAID)),
    _of("vote", _in("Will you vote?", "Gehen Sie wählen?", "هل ستصوّت؟"),
        _labels(yes=YES, no=NO, unsaid=UNSAID)) | VOTERS,
    {
        "name": "way",
        "kind": "numeric",
        "range": [0, 120],
        "step": 1,
        "question": _in("How long is your way?", "Wie lange dauert Ihr Weg?", "كم يستغرق طريقك؟"),
        "unit": _in("minutes", "Minuten", "دقيقة"),
    },
]  # fmt: skip

AUTHOR: dict[str, Any] = {
    "name": "council-2026",
    "languages": ["en", "de", "ar"],
    "title": _in(
        "How we live in this town", "Wie wir in dieser Stadt leben", "كيف نعيش في هذه المدينة"
    ),
    "asker": _in("The city council", "Der Stadtrat", "مجلس المدينة"),
    "purpose": _in(
        "To plan buses, parks and the library for the next five years.",
        "Um Busse, Parks und Bücherei für die nächsten fünf Jahre zu planen.",
        "لتخطيط الحافلات والحدائق والمكتبة للسنوات الخمس القادمة.",
    ),
    "contact": "council@town.example, +49 30 1234-0",
    "retention": _in("Until the end of 2027.", "Bis Ende 2027.", "حتى نهاية 2027."),
    "notice": _in(
        "Taking part is voluntary.\nNobody learns who took part.",
        "Die Teilnahme ist freiwillig.\nNiemand erfährt, wer teilgenommen hat.",
        "المشاركة طوعية.\nلا يعرف أحد من شارك.",
    ),
    "attributes": [TRAVEL, AGE, INCOME, *SHORT],
    "sections": [
        {"title": _in("On the way", "Unterwegs", "في الطريق"), "attributes": ["travel", "way"]},
        {
            "title": _in("At home", "Zu Hause", "في البيت"),
            "attributes": ["rent", "garden", "grow", "noise", "income"],
        },
    ],
    "budget": {"average": 2.0, "least": 0.25, "most": 6.0},
}  # fmt: skip

RECORD = {
    "travel": "bike",
    "way": "25",
    "rent": "unsaid",
    "garden": "yes",
    "grow": "yes",
    "noise": "yes",
    "income": "3100",
    "age": "45-64",
    "park": "weekly",
    "moved": "2024-02-29",
    "safe": "yes",
    "vote": "unsaid",
}


@cache
def council() -> Plan:
    return Plan.of(AUTHOR)
