"""By TLS: a collector whose certificate is not trusted gets nothing."""

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from discretion.device import Delivery, Device, Outcome, UploadClient
from discretion.errors import CollectorError
from discretion.plan import Plan
from tests.scripted import Collector, Time, collecting

OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="needs openssl to make a certificate")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of this machine that nobody has signed, with its key."""
    made = tmp_path / "made.pem"
    command = f"{OPENSSL} req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(made), "-out", str(tmp_path / "public.pem")]
    subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
    made.write_text(made.read_text() + (tmp_path / "public.pem").read_text())
    return made


@pytest.fixture
def secure(plan: Plan, certificate: Path) -> Iterator[Collector]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with collecting(plan, context) as running:
        yield running


def test_a_collector_with_a_trusted_certificate_gets_the_report(
    secure: Collector, sealed: Device, certificate: Path
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    client = UploadClient(secure.url, sealed.state, context=trusting)
    assert client.deliver() == [Delivery(0, Outcome.ACCEPTED)]
    assert len(secure.kept) == 1


def test_a_collector_with_another_certificate_gets_nothing_and_is_not_asked_again(
    secure: Collector, sealed: Device, time: Time
) -> None:
    client = UploadClient(secure.url, sealed.state, retry=time.retry_policy())
    with pytest.raises(CollectorError, match=r"its certificate is not trusted \(self"):
        client.deliver()
    assert (time.slept, secure.got) == ([], [])
    assert len(sealed.outbox()) == 1


def test_a_collector_under_another_name_gets_nothing(
    secure: Collector, sealed: Device, certificate: Path
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    elsewhere = secure.url.replace("localhost", "127.0.0.1")
    with pytest.raises(CollectorError, match="its certificate is not trusted"):
        UploadClient(elsewhere, sealed.state, context=trusting).deliver()
    assert secure.got == []
