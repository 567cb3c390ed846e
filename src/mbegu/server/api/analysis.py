"""The HTTP address of an analysis that is answered in one piece; the socket of one that is told as it goes is in `sockets`."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.i18n import _
from mbegu.server.api.endpoints import polite, read_json
from mbegu.server.api.openapi import Operation
from mbegu.server.api.positions import MOST_TRIED
from mbegu.server.api.schemas import Analysis, Question
from mbegu.server.net.replies import Answer, reply
from mbegu.server.play.forms import InvalidForm
from mbegu.server.play.questions import check_history, question_of
from mbegu.server.think.engines import EnginePool, ThoughtFailed

__all__ = ["OPERATIONS"]

MOST_SECONDS = 10.0  # of an analysis that is answered in one piece
PATIENCE = 60.0  # seconds more until the engine has a moment, or is compiled


@polite
async def analyse(request: Request) -> Response:
    """What the engine thinks of a position, when it has thought."""
    limits = request.app.state.limits
    if not limits.analyses.take(request.state.visitor, request.state.address):
        raise Answer(429, _("too many analyses: wait a moment"))
    form = await read_json(request, MOST_TRIED)
    game, text, history, lines, seconds = question_of(form)
    await check_history(game, history)
    if seconds > MOST_SECONDS:
        raise InvalidForm(_("seconds must be from 0.1 to {most}").format(most=f"{MOST_SECONDS:g}"))
    session, hall = request.state.session, request.app.state.hall
    thinkers: EnginePool = request.app.state.thinkers
    await hall.people.check_fair(session, game, text)
    if thinkers.waiting_of(f"analysis {session}"):
        raise Answer(429, _("one analysis at a time: wait for the one that runs"))
    last: dict[str, Any] = {}
    try:
        async with asyncio.timeout(seconds + PATIENCE):
            await thinkers.analyse(
                game,
                text,
                history,
                lines,
                seconds,
                f"analysis {session}",
                last.update,
                lambda: None,
                request.state.address,
            )
    except (ThoughtFailed, TimeoutError) as error:
        raise Answer(503, str(error) or _("the engine is busy: try again")) from None
    return reply({**last, "final": True})


# ---- the table

OPERATIONS = [
    Operation(
        "POST",
        "/analysis",
        analyse,
        "Analysis",
        "What the engine thinks of a position; not of one that stands in a rated game",
        Analysis,
        takes=Question,
        errors=(400, 401),
    ),
]
