"""What is sent and answered over HTTP, declared once.

From these types come the check of what is sent (`validation`), the OpenAPI document (`openapi`) and the
front end's types (`web/src/lib/api_types.ts` and `api_people.ts`, written by `tools/api_types.py`). Answers may hold more than is
promised here.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from mbegu.core.registry import USUAL
from mbegu.server.play.rows import SeatKind, Status

# ---- small words

Player = Literal[0, 1]
Turn = Literal[0, 1] | None
Move = int | str
Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Sides = tuple[str, str]
Scores = tuple[float, float]
Text = Annotated[str, Meta(max_length=1000)]
Game = Annotated[
    str,
    Meta(max_length=1000, extra_json_schema={"examples": [USUAL]}),
]
Help = Literal["none", "landing", "full"]
Scope = Literal["read", "play"]


class Error(TypedDict):
    """What is wrong, as a sentence; where in a text, or by which rule, if that can be said."""

    error: str
    line: NotRequired[int | None]
    column: NotRequired[int | None]
    rule: NotRequired[str | None]


# ---- games and positions


class BoardPlace(TypedDict):
    """A place on a board: where it lies, whose it is, what one types to choose it."""

    name: str
    row: float
    column: float
    label: str
    owner: Turn
    key: str
    role: str


class BoardInfo(TypedDict):
    """What a game is played on; the words are in the language of the page. Counts stand in the order of kinds."""

    family: str
    places: list[BoardPlace]
    stores: list[BoardPlace]
    kinds: list[str]
    piece: str
    pieces: str
    score: str
    hole: str
    lines: list[list[str]]


class Outcome(TypedDict):
    """How a game ended; `why` is the reason as a sentence."""

    winner: Turn
    scores: Scores
    reason: str
    result: NotRequired[str]
    sentence: NotRequired[str]
    story: NotRequired[str]
    why: NotRequired[str]


class Preview(TypedDict):
    """What a move would do."""

    last: str | None
    captures: list[tuple[str, int]]
    again: NotRequired[bool]
    laps: NotRequired[int]
    ends: NotRequired[bool]
    mills: NotRequired[list[list[str]]]


Choice = TypedDict(
    "Choice",
    {
        "move": Move,
        "word": str,
        "from": str | None,
        "to": str | None,
        "story": str,
        "preview": Preview | None,
    },
)
Choice.__doc__ = "A legal move."


class View(TypedDict):
    """A position and all about it: what lies where, what may be played, and why not the rest."""

    game: str
    title: str
    rules: NotRequired[str]
    text: str
    state: NotRequired[dict[str, Any]]
    board: BoardInfo
    places: dict[str, list[int]]
    tags: NotRequired[dict[str, list[str]]]
    turn: Turn
    scores: Scores
    sides: Sides
    legal: list[Choice]
    barred: dict[str, str]
    marks: NotRequired[dict[str, Any]]
    outcome: Outcome | None


class StepTold(TypedDict):
    """A move with its story and what came of it: the view, or (if no views are wanted) its text."""

    events: list[dict[str, Any]]
    word: str
    move: Move
    story: str
    player: Player
    view: NotRequired[View]
    text: NotRequired[str]
    scores: NotRequired[Scores]


class Steps(TypedDict):
    """Several moves, one after the other."""

    steps: list[StepTold]


class Trial(TypedDict):
    """A move to try, or several; nothing is kept."""

    game: Game
    position: NotRequired[Text | None]
    move: NotRequired[Move]
    moves: NotRequired[Annotated[list[Move], Meta(max_length=2000)]]
    views: NotRequired[bool]


class Words(TypedDict):
    """What people call something, and a line about it."""

    word: str
    line: str


class OptionCard(TypedDict):
    """A setting of a game."""

    name: str
    type: Literal["int", "bool", "choice"]
    default: int | bool | str
    choices: list[str]
    low: int
    high: int
    label: str
    help: str
    words: dict[str, Words]


class Card(TypedDict):
    """What a game is; `scene` is what lies where at a good moment, to look at."""

    name: str
    id: str
    title: str
    summary: str
    people: str
    rulebook: str
    page: bool
    sides: Sides
    options: list[OptionCard]
    presets: dict[str, dict[str, int | bool | str]]
    preset_words: dict[str, Words]
    setups: bool
    lesson: NotRequired[int]
    notations: list[str]
    start: View
    scene: dict[str, list[int]]


class Unusable(TypedDict):
    """A game that is there, but cannot be played."""

    name: str
    why: str


class Games(TypedDict):
    """All games, and what this server can do."""

    games: list[Card]
    unusable: list[Unusable]
    version: str
    protocol: int
    engine: bool
    levels: tuple[int, int]


class LessonStep(TypedDict):
    """A step of a lesson, in which the learner makes one of the moves that are accepted."""

    title: str
    text: str
    game: str
    position: str
    accept: list[Move]
    words: list[str]
    hint: str
    after: str
    view: View


class Lesson(TypedDict):
    """A game, step by step."""

    game: str
    title: str
    steps: list[LessonStep]


class Line(TypedDict):
    """What the engine would play (a principal variation), and what it thinks of it."""

    margin: float
    win: float | None
    exact: bool
    result: float | None
    likely: float
    settled: float | None
    moves: list[Move]
    words: list[str]


class Analysis(TypedDict):
    """What the engine thinks of a position."""

    turn: Turn
    depth: int
    nodes: int
    seconds: float
    lines: list[Line]
    final: bool


class Question(TypedDict):
    """A position to think about."""

    game: Game
    position: Text
    lines: NotRequired[Annotated[int, Meta(ge=1, le=64)]]
    seconds: NotRequired[Annotated[float, Meta(ge=0.1, le=10.0)]]
    history: NotRequired[Annotated[list[Text], Meta(max_length=1000)]]


# ---- rooms


class SeatAsked(TypedDict):
    """Who shall sit there."""

    kind: SeatKind
    level: NotRequired[int]
    name: NotRequired[str]


class NewRoom(TypedDict):
    """A new game."""

    game: Game
    seats: Annotated[list[SeatAsked], Meta(min_length=2, max_length=2)]
    clock: NotRequired[
        Annotated[str, Meta(max_length=100, extra_json_schema={"examples": ["60+1"]})]
    ]
    position: NotRequired[Text | None]
    setups: NotRequired[Literal["ask"] | list[list[int] | None] | None]
    pace: NotRequired[Annotated[float, Meta(ge=0, le=10)]]
    rated: NotRequired[bool]
    help: NotRequired[Help]
    lot: NotRequired[bool]


class RoomMade(TypedDict):
    """The id of a new room."""

    room: str


class Records(TypedDict):
    """Records to import, ours or in another notation."""

    text: str


class RoomsMade(TypedDict):
    """The ids of new rooms."""

    rooms: list[str]


class Seat(TypedDict):
    """Who sits there."""

    kind: SeatKind
    level: int | None
    name: str
    yours: NotRequired[bool]
    member: NotRequired[bool]
    bot: NotRequired[bool]
    simple: NotRequired[bool]


class Summary(TypedDict):
    """A game in a list."""

    id: str
    game: str
    title: str
    sides: Sides
    seats: tuple[Seat, Seat]
    status: Status
    plies: int
    position: str | None
    turn: Turn
    scores: Scores | None
    outcome: Outcome | None
    clock: str
    created: Moment
    updated: Moment
    imported: bool
    rated: NotRequired[bool]


class MyRooms(TypedDict):
    """A page of a list; `next` begins the page after it."""

    rooms: list[Summary]
    next: str | None


class Can(TypedDict):
    """What the one who asks may do now."""

    move: bool
    undo: bool
    resign: bool
    draw: bool
    abort: bool
    hint: bool
    say: bool
    rematch: bool


class RoomInfo(TypedDict):
    """A game, beside its board."""

    id: str
    game: str
    rules: str
    title: str
    sides: Sides
    status: Status
    created: Moment
    updated: Moment
    start: str | None
    control: str
    setups: bool
    ready: tuple[bool, bool]
    seats: tuple[Seat, Seat]
    owner: bool
    imported: bool
    rated: bool
    continued: bool
    help: Help
    between_people: bool
    invites: tuple[str | None, str | None] | None
    invite_base: str | None
    tab: Literal["keeps", "thinks"] | None
    can: Can


class Told(TypedDict):
    """A move that was made."""

    ply: int
    player: Player
    move: Move
    word: str
    story: str


class Clock(TypedDict):
    """Seconds that are left to both, and whose clock runs."""

    control: str
    left: tuple[float | None, float | None]
    running: Turn


class Presence(TypedDict):
    """Who is there; in how many seconds an absent player may be claimed; how many watch."""

    here: tuple[bool, bool]
    claim_in: tuple[float | None, float | None]
    watchers: int


class Thinks(TypedDict):
    """A computer thinks; for how long, if many wait."""

    player: Player
    compiling: NotRequired[bool]
    seconds: NotRequired[float]


class UndoOffer(TypedDict):
    """Somebody wishes to take a move back."""

    player: Player
    plies: int


class RematchOffer(TypedDict):
    """Who wishes another game; or the room where it is played."""

    by: Turn
    room: str | None


class Snapshot(TypedDict):
    """A game as it stands."""

    t: Literal["snapshot"]
    version: int
    room: RoomInfo
    view: View | None
    moves: list[Told]
    clock: Clock | None
    draw_offered_by: Turn
    thinking: Thinks | None
    undo_offered: UndoOffer | None
    rematch: RematchOffer
    presence: Presence
    captured: tuple[tuple[int, int], tuple[int, int]] | None
