"""What comes up over the board: a question, a choice, a text to read."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

__all__ = ["Ask", "Choose", "Read"]


class Ask(ModalScreen[str | None]):
    """A question that is answered by a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, question: str, text: str = "") -> None:
        super().__init__()
        self._question, self._text = question, text

    def compose(self) -> ComposeResult:
        """The question, and a line to write on."""
        with Vertical(classes="sheet"):
            yield Static(self._question, markup=False)
            yield Input(self._text, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter answers."""
        self.dismiss(event.value.strip() or None)


class Choose(ModalScreen[str | None]):
    """A list out of which one thing is chosen: with the arrows, by its number, or with the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, question: str, options: Sequence[tuple[str, str]], chosen: str = "") -> None:
        super().__init__()
        self._question, self._options, self._chosen = question, options, chosen

    def compose(self) -> ComposeResult:
        """The question and the list."""
        with Vertical(classes="sheet"):
            yield Static(self._question, markup=False)
            yield OptionList(
                *(Option(words, id=f"o{k}") for k, (_name, words) in enumerate(self._options)),
                markup=False,
                compact=True,
            )

    def on_mount(self) -> None:
        """The usual answer is under the cursor."""
        names = [name for name, _words in self._options]
        if self._chosen in names:
            self.query_one(OptionList).highlighted = names.index(self._chosen)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter chooses."""
        self.dismiss(self._options[event.option_index][0])


class Read(ModalScreen[None]):
    """A text; Esc, q or Enter closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark", "dismiss(None)", show=False)
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """A sheet that scrolls."""
        with VerticalScroll(classes="sheet tall"):
            yield Static(self._text, markup=False)

    def on_mount(self) -> None:
        """The arrows scroll at once."""
        self.query_one(VerticalScroll).focus()
