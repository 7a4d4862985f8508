"""Forms: what they list is what they admit, and nothing else."""

import pytest

from discretion.mechanism import Form

FORMS = {
    Form(5): [0, 1, 2, 3, 4],
    Form(n_bits=2): [0, 1, 2, 3],
    Form(n_bits=3, ones=2): [0b011, 0b101, 0b110],
    Form(3, n_bits=1): [0, 1, 2, 3, 4, 5],
    Form(2, first=6): [6, 7],
    Form(2, n_bits=2, ones=1): [0b001, 0b010, 0b101, 0b110],
}


@pytest.mark.parametrize("form", FORMS)
def test_outputs_are_all_that_is_admitted(form: Form) -> None:
    assert list(form.outputs()) == FORMS[form]
    assert [y for y in range(-2, 64) if form.admits(y)] == FORMS[form]
