"""The MCP server, with its tools, the rules as a resource, and two transports."""

from __future__ import annotations

import hmac
import socket
from collections.abc import Callable

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

from bourre_seats.mcp.tools import AgentTools

RULES = """\
Bourré is a trick-taking game for 2 to 8 seats with 52 cards, aces high, 2 low. Cards are texts: rank, then suit, as in
AS, TH, 2C. The house rules of the table may change what follows; the data's `notation` names them.

1. Everyone pays an ante into the pot and gets five cards; the dealer's last one is turned up: its suit is trump.
2. From the dealer's left, each seat passes, which costs nothing more, or plays and exchanges cards once.
3. Those who play fight for five tricks. The dealer's left leads first, then whoever took the last trick.
   - Follow suit if you can, and beat the best card so far if you can.
   - If you cannot follow, play a trump, one that wins if you can. Otherwise any card.
   - Once your hand is sure of three tricks, you must play your highest trump.
4. Who takes most tricks takes the pot; if the most are tied, the pot stays for the next deal.
5. Who plays and takes no trick is bourré and pays as much as the pot held (up to the limit) into the next pot.
6. An illegal card is a renege. The referee asks you once more; it still costs you this pot and your next turn to deal,
   and an uncorrected one as much as being bourré. A late answer costs the same as an uncorrected renege.

You win by having the most chips after all deals. Play only with a hand that should take a trick or more.
"""


MOST_REQUEST_BYTES = 64 * 1024
"""The longest request over HTTP. An answer takes a hundredth of it."""
MOST_CONNECTIONS = 64
"""The most simultaneous requests over HTTP. Further ones get status 503."""
INSTRUCTIONS = """\
You sit at a table of the card game Bourré. Read the resource `bourre://rules`, call `join` if nobody has for you, then
call `look`, think, and call `answer` until the status says that the game is over.
"""


class KeyVerifier(TokenVerifier):
    """Admits requests with the server's key as bearer token."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Returns the access of this token; None if it is not the key."""
        if not hmac.compare_digest(token.encode(), self._key):
            return None
        return AccessToken(token=token, client_id="agent", scopes=[])


def make_server(tools: AgentTools, key: str = "") -> MCPServer:
    """Makes a server of these tools. With a key, requests over HTTP must carry it."""
    auth = AuthSettings(issuer_url=AnyHttpUrl("http://localhost"), resource_server_url=None) if key else None
    server = MCPServer(
        "bourre",
        title="Bourré",
        instructions=INSTRUCTIONS,
        log_level="ERROR",
        auth=auth,
        token_verifier=KeyVerifier(key) if key else None,
    )
    for tool in (tools.join, tools.look, tools.answer, tools.history):
        server.add_tool(tool, structured_output=True)

    @server.resource("bourre://rules", title="The rules in two minutes", mime_type="text/plain")
    def rules() -> str:
        return RULES

    return server


async def serve_http(server: MCPServer, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Serves MCP over HTTP until the program ends; announces its address. Port 0 uses a free one."""
    # Without sessions, the next request finds the same seat after any failure of a client.
    app = server.streamable_http_app(host=host, stateless_http=True, max_request_body_size=MOST_REQUEST_BYTES)
    config = uvicorn.Config(app, log_level="error", limit_concurrency=MOST_CONNECTIONS)
    with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        shown = f"[{host}]" if ":" in host else host
        announce(f"http://{shown}:{listener.getsockname()[1]}/mcp")
        await uvicorn.Server(config).serve(sockets=[listener])
