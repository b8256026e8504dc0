"""The program ends cleanly with something of ours on the clipboard."""

from __future__ import annotations

import os
import subprocess
import sys

CODE = """
from PySide6.QtCore import QTimer
from fabricwright.ui import app as program
from fabricwright.ui.window import MainWindow

plain = MainWindow.finish

def finish(self):
    plain(self)
    self.document.select(["leaf"])
    self.actions_set["copy"].trigger()
    QTimer.singleShot(50, self, lambda: (self.document.undo_stack.setClean(), self.close()))

MainWindow.finish = finish
raise SystemExit(program.main(["--template", "seed-a-256x8", "--no-worker", "--lang", "en"]))
"""


def test_copy_and_quit(tmp_path):
    home = str(tmp_path)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": home, "XDG_CONFIG_HOME": home}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, timeout=60)
    # Not even what the watchdog saw on a busy machine: that is for the diagnostic file.
    said = done.stderr.replace("This plugin does not support propagateSizeHints()", "").strip()
    assert (done.returncode, said) == (0, "")
