"""`bourre ladder start`: plays a ladder, and shows it in a browser, for as long as it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.rules.errors import BourreError
from bourre_referee.cli.arguments import Jobs, LogRequests, PublicUrl
from bourre_referee.cli.executors import GRACE_S, Cluster, ExecutorOptions, Grace
from bourre_referee.cli.exit_codes import BadUsage, exit_code
from bourre_referee.cli.ladder.ladder_arguments import LadderPath
from bourre_referee.text.log_format import HostLog, LogKind

if TYPE_CHECKING:
    from bourre_referee.ladder.host.host_vitals import HostVitals
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.notices.notice_sender import MailServer


def start(
    folder: LadderPath,
    jobs: Jobs = None,
    cluster: Cluster = None,
    grace: Grace = GRACE_S,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of the pages. 0.0.0.0 means all.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port of the pages. 0 means any free port.")
    ] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name that browsers may use. Repeatable."),
    ] = None,
    public_url: PublicUrl = None,
    pages: Annotated[bool, typer.Option(help="Show the ladder in a browser.")] = True,
    monitor_port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=65535, help="Serve /health, /ready and /metrics at this port. Default: nowhere."
        ),
    ] = None,
    monitor_host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address for --monitor-port. Keep it private.")
    ] = "127.0.0.1",
    mail_server: Annotated[
        str | None,
        typer.Option(metavar="HOST[:PORT]", help="Mail notices to owners by this server. Default: no mail."),
    ] = None,
    mail_from: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The sender of that mail, such as ladder@example.org.")
    ] = None,
    log_format: Annotated[
        LogKind, typer.Option(help="Write the log as lines of text, or as a JSON document on each line.")
    ] = "text",
    log_requests: LogRequests = False,
    published: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HASH|FILE", help="A published head of the log, or a status as JSON. An older log is refused."
        ),
    ] = None,
) -> None:
    """Run the ladder: matches, ratings, pages and remote bots.

    Ctrl-C ends it at once, SIGTERM within --grace. The same command then continues it. Matches that were interrupted
    are played again, with the same cards.
    """
    from bourre_referee.runner.interrupt import Stop

    log, mail = HostLog(log_format), _mail_server(mail_server, mail_from)

    def announce(address: str, notices: tuple[str, ...]) -> None:
        for notice in notices:
            log.tell(notice)
        log.tell(f"Serving {folder}. Remote bots connect to {address} (Ctrl-C ends it)")

    execution = ExecutorOptions(cluster, jobs)
    with Stop(grace) as stop, ExitStack() as held:
        try:
            from bourre_referee.ladder.host.host_vitals import HostVitals
            from bourre_referee.ladder.host.ladder_folder import LadderFolder
            from bourre_referee.ladder.host.ladder_host import serve_ladder
            from bourre_referee.ladder.log.shared_log import utc_now

            ladder, vitals = LadderFolder(folder.absolute()), HostVitals(utc_now)
            _check_not_behind(ladder, published or [])
            shown = _Shown(ladder, log, host, allow_host or [], log_format, log_requests, public_url or "")
            if monitor_port is not None:
                held.enter_context(shown.monitor(vitals, monitor_host, monitor_port))
            pages_here = shown.pages(port) if pages and find_spec("fastapi") else nullcontext()
            with execution.make() as make_executor:
                serve_ladder(
                    ladder, make_executor, stop, announce, log.tell, pages=pages_here, vitals=vitals, mail=mail
                )
        except KeyboardInterrupt:
            log.tell("Stopped. Nothing is lost. The same command continues.")
            raise typer.Exit from None
        except BourreError as error:
            log.tell(str(error))
            raise typer.Exit(exit_code(error)) from None


def _mail_server(server: str | None, sender: str | None) -> MailServer | None:
    if server is None and sender is None:
        return None
    from bourre_referee.ladder.notices.contacts import Contact
    from bourre_referee.ladder.notices.notice_sender import MailServer

    if not server or not sender:
        raise BadUsage("--mail-server and --mail-from need each other.\nhint: pass both")
    host, _, port = server.partition(":")
    if not host or not (port or "25").isdecimal():
        raise BadUsage(f"--mail-server {server}: must be HOST or HOST:PORT")
    if problem := Contact(mail=sender).problem():
        raise BadUsage(f"--mail-from: {problem}")
    return MailServer(host, int(port or "25"), sender)


def _check_not_behind(ladder: LadderFolder, published: list[str]) -> None:
    if published:
        from bourre_referee.ladder.host.administration import check_not_behind
        from bourre_referee.verify.published import read_published

        check_not_behind(ladder, {head for given in published for head in read_published(given).values()})


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a served ladder shows: pages for people and a monitor for programs."""

    ladder: LadderFolder
    log: HostLog
    host: str
    names: list[str]
    kind: LogKind
    log_requests: bool
    public: str

    @contextmanager
    def pages(self, port: int) -> Iterator[None]:
        """Serves the pages inside the block, from a process of their own."""
        from bourre_referee.web.ladder.ladder_app import serve_pages
        from bourre_referee.web.server import ServerLog

        log = ServerLog(self.kind, self.log_requests)
        with serve_pages(self.ladder, self.host, port, self.log.tell, self.names, log, self.public) as url:
            self.log.tell(f"Pages: {url}")
            yield

    @contextmanager
    def monitor(self, vitals: HostVitals, host: str, port: int) -> Iterator[None]:
        """Serves the monitor inside the block, from a thread."""
        from bourre_referee.web.monitor.monitor_server import serve_monitor

        with serve_monitor(self.ladder, vitals, host, port, self.log.masked) as url:
            self.log.tell(f"Monitor: {url}metrics")
            yield
