"""The shortcut sheet: every command with its keys, every gesture of the mouse; searched, changed and printed."""
