"""Sends notices from threads of its own: the referee never waits for a webhook or for mail."""

from __future__ import annotations

import json
import smtplib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread

from bourre.rules.errors import BourreError
from bourre_referee.ladder.notices.contacts import Contact, read_contacts
from bourre_referee.ladder.notices.owner_notices import OwnerNotice
from bourre_referee.ladder.notices.webhook import TIMEOUT_S, NotDelivered, post
from bourre_referee.text.names import printable

THREADS = 4
"""The notices that are sent at once, so that one slow server delays few others."""
MOST_WAITING = 200
"""The most notices that wait. Further ones stay in the feeds only."""
PAUSES_S = (2.0, 10.0)
"""The pauses before the second and the last try, in seconds."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """The host's own mail server, which needs no password."""

    host: str
    port: int
    sender: str
    """The mail address of the ladder."""


class NoticeSender:
    """Sends notices to the contacts of their owners. Its threads end with the process, and delay it by nothing."""

    def __init__(
        self,
        ladder: str,
        contacts: Path,
        mail: MailServer | None,
        tell: Callable[[str], None],
        pauses_s: tuple[float, ...] = PAUSES_S,
    ) -> None:
        """`tell` gets what could not be sent, and why."""
        self._ladder = ladder
        self._contacts = contacts
        self._mail = mail
        self._tell = tell
        self._pauses_s = pauses_s
        self._queue: Queue[OwnerNotice | None] = Queue(MOST_WAITING)
        self._ended = Event()
        for number in range(THREADS):
            Thread(target=self._work, name=f"sends notices {number}", daemon=True).start()

    def send(self, notice: OwnerNotice) -> None:
        """Queues a notice, and returns at once."""
        try:
            self._queue.put_nowait(notice)
        except Full:
            self._tell(f"too many notices wait to be sent: {notice.owner} finds this one only in the feed")

    def end(self) -> None:
        """Ends the threads after their current try."""
        self._ended.set()
        for _ in range(THREADS):
            with suppress(Full):  # the process ends, and its threads with it
                self._queue.put_nowait(None)

    def _work(self) -> None:
        while (notice := self._queue.get()) is not None:
            self._deliver(notice)

    def _deliver(self, notice: OwnerNotice) -> None:
        try:
            contact = read_contacts(self._contacts).get(notice.owner, Contact())
        except BourreError as error:
            self._tell(f"{error}")
            return
        if contact.webhook:
            self._try("webhook", notice, partial(self._post, contact, notice))
        if contact.mail and self._mail:
            self._try("mail", notice, partial(self._write, self._mail, contact, notice))

    def _try(self, way: str, notice: OwnerNotice, deliver: Callable[[], None]) -> None:
        for pause in (*self._pauses_s, None):
            try:
                deliver()
                return
            except NotDelivered as error:
                why = error
            if pause is None or not why.again or self._ended.wait(pause):
                break
        self._tell(f"the {way} of {printable(notice.owner)} did not get a notice about {notice.bot}: {why}")

    def _post(self, contact: Contact, notice: OwnerNotice) -> None:
        document = {
            "ladder": self._ladder,
            "bot": notice.bot,
            "owner": notice.owner,
            "happened": notice.happened,
            "text": notice.text,
            "at": f"{notice.at:%Y-%m-%dT%H:%M:%SZ}",
        }
        post(contact.webhook, json.dumps(document).encode(), internal=contact.internal)

    def _write(self, mail: MailServer, contact: Contact, notice: OwnerNotice) -> None:
        message = EmailMessage()
        message["From"], message["To"] = mail.sender, contact.mail
        message["Subject"] = printable(f"{self._ladder}: {notice.bot} {notice.happened}")
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(f"{printable(notice.text)}.\n\nThe pages of the ladder have more.\n")
        try:
            with smtplib.SMTP(mail.host, mail.port, timeout=TIMEOUT_S) as server:
                server.send_message(message)
        except (OSError, smtplib.SMTPException) as error:
            raise NotDelivered(f"{error}", again=True) from error
