"""Publication: dependence, a model of the whole record, synthetic rows and their quality."""

from discretion.synthesis.dependence import Dependence, dependence
from discretion.synthesis.model import Model
from discretion.synthesis.publish import Publication, publish
from discretion.synthesis.quality import Quality

__all__ = ["Dependence", "Model", "Publication", "Quality", "dependence", "publish"]
