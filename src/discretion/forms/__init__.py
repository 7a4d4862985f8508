"""Forms that people have already: an XLSForm of ODK or KoboToolbox becomes a plan."""

from discretion.forms.importing import Imported, import_form
from discretion.forms.written import report, written

__all__ = ["Imported", "import_form", "report", "written"]
