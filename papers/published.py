"""What the PLDP paper printed, and what we promise beside it.

Source: Z. Shen, Z. Xia and P. Yu, "PLDP: Personalized Local Differential Privacy for
Multidimensional Data Aggregation", Security and Communication Networks 2021, Table 2: the mean
distance of the joint of k attributes, k = 1, ..., 5, with two units of budget for each attribute.
"""

from collections.abc import Mapping

Orders = tuple[float, ...]  # a number for each k

CITATION = (
    "Z. Shen, Z. Xia and P. Yu, *PLDP: Personalized Local Differential Privacy for "
    "Multidimensional Data Aggregation*, Security and Communication Networks, 2021"
)
TABLE2: Mapping[tuple[str, str], Orders] = {
    ("Adult", "S#1"): (0.29, 0.28, 0.47, 0.54, 0.54),
    ("Adult", "S#2"): (0.29, 0.27, 0.43, 0.48, 0.51),
    ("Abalone", "S#1"): (0.36, 0.36, 0.42, 0.53, 0.53),
    ("Abalone", "S#2"): (0.36, 0.36, 0.39, 0.45, 0.49),
    ("Bank", "S#1"): (0.36, 0.36, 0.42, 0.48, 0.53),
    ("Bank", "S#2"): (0.36, 0.36, 0.41, 0.43, 0.45),
    ("Car", "S#1"): (0.27, 0.34, 0.40, 0.49, 0.52),
    ("Car", "S#2"): (0.27, 0.34, 0.37, 0.41, 0.47),
}
OVER_PRINTED: Mapping[str, Orders] = {  # at most, ours over the printed figure
    "Adult": (0.05, 0.25, 0.30, 0.40, 0.50),
    "Abalone": (0.12, 0.45, 0.65, 0.75, 0.88),
    "Bank": (0.05, 0.25, 0.30, 0.40, 0.50),
    "Car": (0.22, 0.36, 0.53, 0.73, 0.92),
}
OVER_INDEPENDENT = 1.03  # at most, ours over the product of the marginals of the same reports
OVER_DISCLOSED = 1.35  # at most, without over with the levels of the same reports, from pairs on
