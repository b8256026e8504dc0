"""The wizard: requirements, alternatives, racks and names, drawn. The worker sizes and draws; nothing here waits."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from fabricwright.analysis.size_limits import MOST
from fabricwright.sizing.requirement import Requirement, checked
from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.sizing.asking import LookBox, SentenceBox, refuse
from fabricwright.ui.sizing.choose import ChoosePage, scrolling
from fabricwright.ui.sizing.finish import has_content, taken
from fabricwright.ui.sizing.foot import Foot
from fabricwright.ui.sizing.form import RequirementForm
from fabricwright.ui.sizing.naming import NamingPane
from fabricwright.ui.sizing.result import ResultPane
from fabricwright.ui.sizing.rows import Row, written
from fabricwright.ui.sizing.stepper import Stepper
from fabricwright.ui.widgets import set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

LOOK_MS, SIZE_MS = 250, 600
ASK, CHOOSE, NAME = range(3)
#: Ids of requests: answers to older ones are dropped, also those to a wizard before this one.
_numbers = count(1)


class SizingWizard(QDialog):
    """Opened by ``fabricwright.ui.sizing.start``. ``add``: into the open project unless told otherwise.

    The first step is there at once; the pages of the others are made when somebody gets to them.
    """

    def __init__(self, window: MainWindow, *, add: bool = False) -> None:
        super().__init__(window)
        self.window_, self.context, self._add = window, window.context, add
        self.analysis = self.context.analysis
        self.step, self._asked, self._busy, self._taking = ASK, 0, False, False
        self.rows: list[Row] = []
        self._sized: tuple[dict[str, Any], int] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_surface(self, "canvas")
        self._build()
        self._timer = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._timer.timeout.connect(self._request)
        self.analysis.sized.connect(self._take)
        self.analysis.size_taken.connect(self._taken)
        self.analysis.changed.connect(self._analysis_changed)
        self.retranslate()
        self.go(ASK)
        fit_to_screen(self, QSize(1390, 868).boundedTo(window.size().expandedTo(QSize(1100, 720))))

    # -- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.stepper = Stepper(self)
        column.addWidget(self.stepper)
        self.progress = QProgressBar(self)
        self.progress.setFixedHeight(3)
        self.progress.setTextVisible(False)
        column.addWidget(self.progress)
        self.form = RequirementForm(self)
        self.form.edited.connect(self._edited)
        self.sentence = SentenceBox(self)
        self.sentence.read.connect(self._read)
        self.sentence.accepted.connect(lambda: self.go(CHOOSE))
        self.look = LookBox(self)
        self.look.change_wanted.connect(self.form.change)
        self.pages = QStackedWidget(self)
        self._ask_box = QWidget()
        self._ask_column = QVBoxLayout(self._ask_box)
        self._ask_column.setContentsMargins(18, 14, 18, 14)
        self._ask_column.setSpacing(14)
        self._ask_column.addWidget(self.sentence)
        self._ask_column.addStretch(1)
        self.pages.addWidget(scrolling(self._ask_box))
        column.addWidget(self.pages, 1)
        self.foot = self._make_foot()
        column.addWidget(self.foot)

    @cached_property
    def choose(self) -> ChoosePage:
        """The page of the second step."""
        page = ChoosePage()
        page.results.chosen.connect(lambda _id: self._buttons())
        page.results.accepted.connect(lambda: self.draw())
        page.fit(self.width())
        self.pages.addWidget(page)
        return page

    @property
    def results(self) -> ResultPane:
        """The alternatives."""
        return self.choose.results

    @cached_property
    def naming(self) -> NamingPane:
        """The pane of the third step."""
        page = QWidget()
        pane = NamingPane(page)
        pane.set_open(has_content(self.context.project), self._add)
        row = QHBoxLayout(page)
        row.setContentsMargins(18, 14, 18, 14)
        row.addWidget(pane)
        self._name_page = scrolling(page)
        self.pages.addWidget(self._name_page)
        return pane

    def _make_foot(self) -> Foot:
        foot = Foot(self)
        self.back, self.cancel, self.next, self.other = foot.back, foot.cancel, foot.next, foot.other
        self.primary = foot.primary
        self.back.clicked.connect(lambda _on: self.go(self.step - 1))
        self.next.clicked.connect(lambda _on: self.go(self.step + 1))
        self.cancel.clicked.connect(lambda _on: self._stop() if self._busy and self.step else self.reject())
        self.primary.clicked.connect(lambda _on: self.go(CHOOSE) if self.step == ASK else self.draw())
        self.other.clicked.connect(lambda _on: self.draw("new" if self.naming.where.value() == "add" else "add"))
        return foot

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.setWindowTitle(self.tr("New from requirements"))
        self.stepper.set_titles(
            (self.tr("Requirements"), self.tr("Alternatives"), self.tr("Racks and names"), self.tr("Draw"))
        )
        if "choose" in vars(self):
            self.choose.retranslate()
        self.foot.retranslate()
        self.look.retranslate()
        self._buttons()

    def changeEvent(self, event: QEvent) -> None:
        """Live switch of language."""
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_timer"):
            self.retranslate()
        super().changeEvent(event)

    # -- steps --------------------------------------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Show a step; the form moves between the first two."""
        if step > ASK and not self._valid():
            self._request()
            return
        if step == NAME and self.results.current() is None:
            return
        self.step = min(max(step, ASK), NAME)
        self.stepper.set_step(self.step)
        if self.step == ASK:
            self.pages.setCurrentIndex(0)
            self._ask_column.insertWidget(1, self.form)
            self._columns()
            self.sentence.line.setFocus()
        elif self.step == CHOOSE:
            self.form.set_columns(1, framed=False)
            self.look.hide()
            self.choose.take_form(self.form)
            self.pages.setCurrentWidget(self.choose)
            self.results.table.setFocus()
        row = self.results.current() if self.step == NAME else None
        if row is not None:
            self.naming.show_row(row, len(self.results.picked()))
            self.pages.setCurrentWidget(self._name_page)
            self.naming.name.setFocus()
            self.naming.name.selectAll()
        self._timer.stop()
        self._request()
        self._buttons()

    def _columns(self) -> None:
        columns = 3 if self.width() >= 1080 else 2 if self.width() >= 760 else 1
        self.form.set_columns(columns, self.look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if "choose" in vars(self):
            self.choose.fit(self.width())
        if self.step == ASK:
            self._columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+Left goes back; Escape leaves."""
        if event.key() == Qt.Key.Key_Left and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.go(self.step - 1)
            return
        super().keyPressEvent(event)

    def _buttons(self) -> None:
        stops = self._busy and self.step > ASK
        if self.step == ASK:
            self.foot.show_asking(valid=self._valid(), stops=stops)
            return
        row = self.results.current()
        self.foot.show_choosing(
            row,
            len(self.results.picked()),
            last=self.step == NAME,
            ready=row is not None and not self._taking and row["racks"] is not None,
            stops=stops,
            into_open=has_content(self.context.project),
            adding=self.naming.where.value() == "add",
        )

    # -- asking -------------------------------------------------------------------------------------------------------

    def _read(self, values: dict[str, Any]) -> None:
        self.form.set_values(values)
        self._edited()

    def _edited(self) -> None:
        self._timer.start(LOOK_MS if self.step == ASK else SIZE_MS)
        self._buttons()

    def _valid(self) -> bool:
        values = self.form.values()
        return self.form.understood() and bool(values.get("servers") or values.get("gpus"))

    def _request(self) -> None:
        """Ask the worker, unless it is plain from here that it would refuse."""
        values = self.form.values()
        wanted = (values, self.form.size_bytes())
        if self.step == NAME or (self.step == CHOOSE and self._sized == wanted):
            return
        if not self.form.understood():
            self._refuse(self.tr("A field holds something that is not a number."), [], False)
            return
        if not self._valid():
            self._forget()
            self.look.show_row(None)
            return
        try:
            known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
            checked(Requirement(**known))
        except UserError as error:
            if self.step == ASK:
                self._refuse(text_of(error.message), [], True)
        self._asked = next(_numbers)
        look = self.step == ASK
        self._sized = None if look else wanted
        self._set_busy(not look)
        if look:
            self.look.show_asking()
        else:
            self.rows = []
            self.results.notice.hide()
            self.progress.setRange(0, 2 * MOST)
            self.progress.setValue(0)
            self.stepper.say(self.tr("Sizing…"))
        asked = {"id": self._asked, "requirement": values, "sizes": [wanted[1]], "most": MOST}
        if not self.analysis.ask_size(**asked, **({"look": True} if look else {})):
            self._set_busy(False)
            self._refuse(self.tr("The analysis does not run; restart it in the menu Analyse."), [], False)

    def _forget(self) -> None:
        self._asked = next(_numbers)
        self._sized = None
        self.analysis.ask_size(id=self._asked, requirement=None)
        self._set_busy(False)

    def _stop(self) -> None:
        """Enough alternatives: keep what is there."""
        self._forget()
        self._sized = (self.form.values(), self.form.size_bytes())
        self.stepper.say(self.tr("Stopped at {count} alternatives").format(count=len(self.rows)))

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        tried = sum(row["worst_failure_ratio"] is not None for row in self.rows)
        self.progress.setValue(len(self.rows) + tried if busy else 0)
        self._buttons()

    def _refuse(self, text: str, changes: list[dict[str, Any]], searching: bool) -> None:
        if self.step == ASK:
            self.look.show_refusal(text, changes, searching)
            return
        refuse(self.results.notice, text, changes, searching, self.form.change)
        self.results.notice.show()
        self.rows = []
        self.results.set_rows([], "")
        self.stepper.say("")

    # -- answers ------------------------------------------------------------------------------------------------------

    def _take(self, header: dict[str, Any]) -> None:
        if header.get("id") != self._asked:
            return
        if "error" in header:
            searching = bool(header.get("searching"))
            self._set_busy(searching and self.step > ASK)
            self._refuse(text_of(Message.from_json(header["error"])), header.get("changes") or [], searching)
        elif "look" in header:
            self.look.show_row(header["look"])
        elif header.get("done"):
            self.rows = list(header["rows"])
            self._show(done=True)
        elif "alternative" in header:
            fresh = header["alternative"]
            again = any(row["id"] == fresh["id"] for row in self.rows)
            self.rows = [fresh if row["id"] == fresh["id"] else row for row in self.rows]
            if not again:
                self.rows.append(fresh)
            self._show(done=False)

    def _show(self, *, done: bool) -> None:
        first = self.rows[0]
        summary = self.tr("{servers} servers, {gpus} GPUs").format(
            servers=f"{first['servers']:,}", gpus=f"{first['gpus']:,}"
        )
        if len({written(row, "nic") for row in self.rows}) == 1:
            summary += self.tr(", each with {nics}").format(nics=written(first, "nic"))
        self.results.set_rows(self.rows, summary)
        if done:
            self.stepper.say(self.tr("{count} alternatives").format(count=len(self.rows)))
        elif any(row["worst_failure_ratio"] is not None for row in self.rows):
            self.stepper.say(self.tr("{count} alternatives, trying failures…").format(count=len(self.rows)))
        else:
            self.stepper.say(self.tr("{count} of {most} alternatives…").format(count=len(self.rows), most=MOST))
        self._set_busy(not done)
        if self.step == CHOOSE and self.results.table.hasFocus() is False and self.focusWidget() is self.results:
            self.results.table.setFocus()

    def _analysis_changed(self, topics: frozenset[str]) -> None:
        if "status" in topics and self.analysis.status in ("lost", "failed") and (self._busy or self._taking):
            self._taking = False
            self._set_busy(False)
            self._refuse(self.tr("The analysis does not run; restart it in the menu Analyse."), [], False)

    # -- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, where: str = "") -> None:
        """Have the picked designs drawn: into a ``new`` project or ``add`` them to the open one."""
        row = self.results.current()
        if row is None or self._taking or row["racks"] is None:
            return
        where = where or str(self.naming.where.value())
        if where == "new" and not self.window_.may_leave():
            return
        if self._busy:
            self._stop()
        picked = self.results.picked()
        if not self.naming.name.text().strip() or not self.naming.name.property("own"):
            self.naming.show_row(row, len(picked))
        self._taking = True
        self._asked = next(_numbers)
        self.stepper.say(self.tr("Drawing…"))
        self.analysis.take_size(
            id=self._asked,
            alternatives=picked,
            title=self.naming.name.text().strip(),
            new=where == "new",
            lang=current_language(),
        )
        self._buttons()

    def _taken(self, header: dict[str, Any]) -> None:
        if header.get("id") != self._asked or not self._taking:
            return
        self._taking = False
        if "error" in header:
            self._refuse(text_of(Message.from_json(header["error"])), [], False)
            self._buttons()
            return
        taken(self.window_, header, str(self.naming.view.value()))
        self.accept()
        self.window_.activateWindow()  # not every desktop gives the keys back to the window behind
        self.window_.views.currentWidget().setFocus()

    def done(self, result: int) -> None:
        """Take back what is still being sized."""
        if self._busy:
            self._forget()
        super().done(result)
