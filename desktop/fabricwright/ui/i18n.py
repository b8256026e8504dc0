"""Language of the window: installed, switched live, and asked for.

Texts of ``ui`` are translated by Qt (``tr`` and ``QCoreApplication.translate`` with the compiled ``.qm`` files); texts
made below ``ui`` are ``Message`` values and are rendered here with ``text_of``. Widgets retranslate on
``QEvent.Type.LanguageChange`` or on ``language_changed``.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from fabricwright.resources import resource_path
from fabricwright.units.text import Message

#: code -> the language's own name, in the order of the menu.
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}


class _LanguageState(QObject):
    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.code = "en"
        self.translators: list[QTranslator] = []


_state = _LanguageState()

#: Emitted with the language code after the translators were exchanged.
language_changed = _state.changed


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a literal for lupdate without translating it yet (typed, unlike PySide6's own)."""
    return text


def current_language() -> str:
    """``en`` or ``zh_CN``."""
    return _state.code


def system_language() -> str:
    """The language to start in when none was chosen: Chinese on a Chinese system, else English."""
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def install_language(app: QCoreApplication, code: str) -> None:
    """Switch to ``code``; every widget gets a LanguageChange event, then ``language_changed`` is emitted."""
    if code not in LANGUAGES:
        raise ValueError(f"language {code!r} is not one of {tuple(LANGUAGES)}")
    if code == _state.code and _state.translators:
        return
    for old in _state.translators:
        app.removeTranslator(old)
    _state.translators = []
    _state.code = code
    QLocale.setDefault(QLocale(code))
    own = resource_path("i18n", f"fabricwright_{code}.qm")
    bundled_qt = resource_path("i18n", f"qtbase_{code}.qm")
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for candidates in ((f"{qt_folder}/qtbase_{code}.qm", str(bundled_qt)), (str(own),)):
        translator = QTranslator(app)
        if any(translator.load(path) for path in candidates):
            _state.translators.append(translator)  # installed below, later ones are asked first
    for translator in _state.translators:
        app.installTranslator(translator)
    _state.changed.emit(code)


def text_of(message: Message | str) -> str:
    """A message from below ``ui`` in the current language; plain strings pass through."""
    return message if isinstance(message, str) else message.text(_state.code)


def name_of(names: object, fallback: str = "") -> str:
    """Pick the current language from catalogue names: anything with ``name_en`` / ``name_zh`` attributes or keys."""
    key = "name_zh" if _state.code == "zh_CN" else "name_en"
    for wanted in (key, "name_en", "name"):
        value = names.get(wanted) if isinstance(names, dict) else getattr(names, wanted, None)
        if isinstance(value, str) and value:
            return value
    return fallback
