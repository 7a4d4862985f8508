"""Forms after the patterns of three makers, as tables that people can read, and as workbooks."""

from collections.abc import Mapping
from pathlib import Path

from openpyxl import Workbook

Sheets = Mapping[str, str]


def cells(table: str) -> list[list[str]]:
    """Return the cells of a table with bars between them; a row of dots is empty."""
    rows = [line.strip() for line in table.strip().splitlines()]
    return [[] if row == "..." else [cell.strip() for cell in row.split("|")] for row in rows]


def workbook(path: Path, sheets: Sheets) -> Path:
    """Write a workbook, as a spreadsheet program would."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, table in sheets.items():
        sheet = book.create_sheet(title)
        for row in cells(table):
            sheet.append([cell or None for cell in row])
    book.save(path)
    return path


KOBO = {  # two languages with tags, metadata first, "or other", a block of its own, a style
    "survey": """
        type | name | label::English (en) | label::Français (fr) | hint::English (en) | hint::Français (fr) | required | relevant | constraint | constraint_message::English (en) | appearance | $kuid
        start | start
        end | end
        begin_group | household | Your household | Votre ménage | | | | | | | | a1
        note | intro | These questions are about the people you live with. | Ces questions portent sur les personnes avec qui vous vivez.
        integer | people | How many people live with you? | Combien de personnes vivent avec vous ? | | | yes | | . >= 0 and . <= 20 | From 0 to 20, please. | | a2
        select_one tenure | tenure | Do you own your home? | Êtes-vous propriétaire ? | | | yes | | | | minimal | a3
        decimal | rent | What is the rent per month? | Quel est le loyer par mois ? | in EUR | en EUR | no | ${tenure} = 'rented' or ${tenure} = 'sublet' | . >= 0 and . < 5000.5 | | | a4
        end_group
        select_one transport or_other | transport | How do you get to work? | Comment allez-vous au travail ? | | | yes | not(${people} < 1) | | | | a5
        select_multiple tenure | wishes | What would you like? | Que voudriez-vous ?
        text | remarks | Any remarks? | Des remarques ?
        begin_score | score1 | Rate these | Notez ceci
        score__row | speed | Speed | Vitesse
        end_score
    """,
    "choices": """
        list_name | name | label::English (en) | label::Français (fr)
        tenure | owned | Owned | Propriétaire
        tenure | rented | Rented | Locataire
        tenure | sublet | Sublet | Sous-locataire
        transport | car | Car | Voiture
        transport | bus | Bus | Bus
    """,
    "settings": """
        form_title | form_id | default_language | style | version
        A town and its homes | homes | English (en) | theme-grid | 2026-11
    """,
}
ODK = {  # columns without a language beside one, pipes of answers, dates, ranges, a cascade
    "survey": """
        type | name | label | label::Español (es) | hint | required | relevant | constraint | calculation | choice_filter | parameters | appearance
        today | today
        username | username
        select_one yn | consent | Do you agree to take part? | ¿Acepta participar? | | yes
        begin group | about | About you | Sobre usted | | | selected(${consent}, 'yes') | | | | | field-list
        date | born | When were you born? | ¿Cuándo nació? | | yes | | . >= date('1930-01-01') and . <= today()
        calculate | age | | | | | | | int((today() - ${born}) div 365.25)
        select_one work | work | **What** do you do? | ¿A qué se dedica? | | yes
        time | shift | When does your shift begin? | ¿Cuándo empieza su turno? | | | selected(${work}, 'employed')
        select_one region | region | Where do you live, ${work}? | ¿Dónde vive?
        select_one district | district | In which district? | ¿En qué distrito? | | | | | | region = ${region}
        end group
        range | satisfied | How satisfied are you? | ¿Qué tan satisfecho está? | 0: not at all. 10: fully. | | | | | | start=0 end=10 step=1 | vertical
        dateTime | visit | When was your last visit? | ¿Cuándo fue su última visita? | | | | . > date('2025-12-31') and . <= '2026-12-31'
        geopoint | place | Where are you? | ¿Dónde está?
        begin repeat | child | A child | Un hijo
        integer | child_age | Age | Edad | | | | . >= 0 and . <= 17
        end repeat
    """,
    "choices": """
        list_name | name | label | label::Español (es) | region
        yn | yes | Yes | Sí
        yn | no | No | No
        work | employed | Employed | Empleado
        work | self | Self-employed | Autónomo
        work | none | Neither | Ninguno
        work | dk | Don't know | No sabe
        region | north | North | Norte
        region | south | South | Sur
        district | d1 | First | Primero | north
        district | d2 | Second | Segundo | south
    """,
    "settings": """
        form_title | form_id | version
        Working hours | hours | 3
    """,
}
HOUSEHOLD = {  # numbered questions, codes for "don't know", modules with conditions, no languages
    "survey": """
        type | name | label | hint | required | relevant | constraint
        begin group | HL | HOUSEHOLD MEMBER
        select_one sex | HL4 | HL4. Is (name) male or female? | Probe if unclear. | yes
        integer | HL6 | HL6. How old is (name)? | Age in completed years. 95 for 95 or more, 98 if not known. | yes | | (. >= 0 and . <= 95) or . = 98
        end group
        begin group | ED | EDUCATION | | | ${HL6} >= 5
        select_one yesno | ED4 | ED4. Has (name) ever attended school? | | yes
        select_one level | ED5 | ED5. What is the highest level attended? | | yes | ${ED4} = 1
        integer | ED6 | ED6. How many years were completed? | years | | ${ED4} = '1' and ${ED5} != 9 | . >= 0 and . <= 20
        end group
        begin group | WS | WATER AND SANITATION
        select_one water | WS1 | WS1. What is the main source of drinking water? | | yes
        text | WS1X | Other source (specify) | | | ${WS1} = 96
        integer | WS4 | WS4. How long does it take to go there? | minutes | | ${WS1} != 11 and ${WS1} != 12 | . >= 0 and . <= 240
        end group
        decimal | AN8 | AN8. Child's weight | (kg) | | | . >= 0.9 and . <= 40
        decimal | AN11 | AN11. Child's length | (cm)
        select_one yesno | AN13 | AN13. Are AN8 and AN11 plausible? | | | ${AN8} > ${AN11}
    """,
    "choices": """
        list name | name | label
        sex | 1 | MALE
        sex | 2 | FEMALE
        yesno | 1 | YES
        yesno | 2 | NO
        level | 0 | EARLY CHILDHOOD EDUCATION
        level | 1 | PRIMARY
        level | 2 | SECONDARY
        level | 9 | DK
        water | 11 | PIPED INTO DWELLING
        water | 12 | PIPED TO YARD
        water | 31 | PROTECTED WELL
        water | 96 | OTHER (specify)
    """,
    "settings": """
        form_title | form_id
        Household questionnaire | hh7
    """,
}
FORMS = {"kobo": KOBO, "odk": ODK, "household": HOUSEHOLD}
