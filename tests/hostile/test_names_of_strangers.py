"""Names and texts from a stranger's file: what they may do to a spreadsheet, a terminal, a window. Nothing."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fabricwright.cli.output import Output, harmless
from fabricwright.exchange.tabular import to_csv
from fabricwright.units.text import msg

TRAPS = (
    "=1+1",
    "+1",
    "-1+2",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "＋1",
    "－1",
    "＠x",
    " =1",
    "\0=1",
    "=cmd|'/C x'!A0",
)


@pytest.mark.parametrize("trap", TRAPS)
def test_no_cell_of_a_table_is_computed(trap: str) -> None:
    ((cell,),) = list(csv.reader(io.StringIO(to_csv(["head"], [[trap]]).decode(), newline="")))[1:]
    assert cell.startswith("'") and not set(cell) & {"\0", "\x1b"}


def test_numbers_and_plain_texts_stay_as_they_are() -> None:
    assert to_csv(["a", "b"], [[-1.5, "leaf-1 = x"]]) == b"a,b\r\n-1.5,leaf-1 = x\r\n"


def test_a_name_does_not_steer_the_terminal() -> None:
    out = Output()
    out.say(msg("{name} is fine.", name="x\x1b]0;owned\x07\x9b31m\u202egpj"))
    out.table(["name"], [["one\ntwo\x1b[2J\rthree"]])
    told = "\n".join(out._lines)
    assert not set(told) & set("\x1b\x07\x9b\u202e\r") and "one two" in told
    assert harmless("列表 – fine\nnext") == "列表 – fine\nnext"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "fabricwright", "templates"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert result.returncode == 2
    assert result.stderr == "The output cannot be written (No space left on device).\n"


def test_nobody_listens() -> None:
    code = "import sys; sys.stdout = None; from fabricwright.cli.main import main; sys.exit(main(['templates']))"
    result = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (0, "")


WINDOW = """
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip, QWidget
from fabricwright.ui.style import FabricwrightStyle
app = QApplication([])
app.setStyle(FabricwrightStyle())
evil = '<img src="file:////server/share/x.png"> <b>name</b>'
box = QMessageBox(QMessageBox.Icon.Warning, "x", evil)
box.setInformativeText(evil)
box.show()
inside = QWidget()
label = QLabel(evil, inside)
inside.show()
QToolTip.showText(QPoint(5, 5), evil, inside)
app.processEvents()
labels = [w for w in app.allWidgets() if isinstance(w, QLabel) and w.text() == evil]
print(len(labels), sum(w.textFormat() == Qt.TextFormat.PlainText for w in labels))
"""


def test_no_label_takes_a_name_for_a_page_with_pictures() -> None:
    """Dialog, its second text, label, hint: all show the name itself."""
    result = subprocess.run(
        [sys.executable, "-c", WINDOW],
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert result.stdout.split() == ["4", "4"], result.stderr[-1000:]
