"""The command: `python -m gristmill eval …`."""

import sys


def main():
    """The command `gristmill` with the arguments of this process; it ends the process."""
    # Only what the command needs: it is the same program, which happens to live in the package.
    from . import _gristmill

    _gristmill.run_command(sys.executable, ["-m", "gristmill"], sys.argv[1:])


if __name__ == "__main__":
    main()
