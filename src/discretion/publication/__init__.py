"""Publication: dependence, a model of the whole record, synthetic rows and their quality."""

from discretion.publication.dependence import Dependence, dependence
from discretion.publication.model import Model
from discretion.publication.publish import Publication, publish
from discretion.publication.quality import Quality

__all__ = ["Dependence", "Model", "Publication", "Quality", "dependence", "publish"]
