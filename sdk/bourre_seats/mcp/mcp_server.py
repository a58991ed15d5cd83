"""The MCP server: its tools, the rules as a resource, and its two transports."""

from __future__ import annotations

import hmac
import socket
from collections.abc import Callable

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

from bourre_seats.mcp.rules_text import RULES
from bourre_seats.mcp.tools import AgentTools

MOST_REQUEST_BYTES = 64 * 1024
"""The longest request over HTTP; an answer takes a hundredth of it."""
MOST_CONNECTIONS = 64
"""How many requests over HTTP are served at once; further ones get status 503."""
INSTRUCTIONS = """\
You sit at a table of the card game Bourré. Read the resource `bourre://rules`, call `join` if nobody has for you, then
call `look`, think, and call `answer` until the status says that the game is over.
"""


class KeyVerifier(TokenVerifier):
    """Admits requests that carry the server's key as their bearer token."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Returns what this token grants; None if it is not the key."""
        if not hmac.compare_digest(token.encode(), self._key):
            return None
        return AccessToken(token=token, client_id="agent", scopes=[])


def make_server(tools: AgentTools, key: str = "") -> MCPServer:
    """Makes a server of these tools; with a key, requests over HTTP must carry it."""
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
    """Serves MCP over HTTP until the program ends; announces its address. Port 0 takes a free one."""
    # No sessions: whatever happens to a client, the next request finds the same seat.
    app = server.streamable_http_app(host=host, stateless_http=True, max_request_body_size=MOST_REQUEST_BYTES)
    config = uvicorn.Config(app, log_level="error", limit_concurrency=MOST_CONNECTIONS)
    with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        shown = f"[{host}]" if ":" in host else host
        announce(f"http://{shown}:{listener.getsockname()[1]}/mcp")
        await uvicorn.Server(config).serve(sockets=[listener])
