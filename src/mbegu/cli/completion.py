"""`mbegu completion`."""

import click
from click.shell_completion import get_completion_class

from mbegu.core.i18n import _

__all__ = ["completion"]


@click.command(
    help=_("Print the completion script for a shell, to be read by the shell's start-up file."),
    epilog=_('For example, in ~/.bashrc: eval "$(mbegu completion bash)"'),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a completion script."""
    found = get_completion_class(shell)
    assert found is not None
    from mbegu.cli import mbegu  # noqa: PLC0415 (the group imports this module)

    click.echo(found(mbegu, {}, "mbegu", "_MBEGU_COMPLETE").source())
