"""A card on the mouse: which slots take it, what it would cost, and the edit that drops it. Also used to move a card
between slots."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.rules.legality import SlotVerdict, legality
from fabricwright.ui.canvas.fabric_figures import supply_w
from fabricwright.ui.canvas.naming import part_names, slot_label, spaced_model
from fabricwright.ui.canvas.server_figures import SHARE_TOKENS, kind_word
from fabricwright.ui.canvas.server_power_card import POWER_ID, with_pending
from fabricwright.ui.canvas.state import Ghost, SlotSign
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.pick import edge_at, snap
from fabricwright.ui.paint.scene import Card, Scene, Share, Style
from fabricwright.units.text import Message, msg

STATE = {"legal": "ok", "loss": "warn", "illegal": "error"}
#: Parts that may stand beside the chassis, fed by cables only.
LOOSE_KINDS = ("retimer", "external-box", "pcie-switch-card", "riser", "backplane", "switch")
FABRIC_KINDS = (
    "server",
    "chassis",
    "switch",
    "rack",
    "storage-server",
    "management-server",
    "pdu",
    "external-box",
    "nvlink-switch",
    "rack-set",
)


class Placement:
    """One part being placed on the open sheet. ``item`` = it is that card, being moved."""

    def __init__(self, context: UiContext, scene: Scene, part_id: str, item: str | None = None) -> None:
        self.context = context
        self.scene = scene
        self.part_id = part_id
        self.item = item
        self.part: Part = context.project.parts.get(part_id) or catalogue().get(part_id)
        self.names = part_names(self.part, part_id, context.language)
        self.own = not catalogue().is_shipped(part_id)
        if self.own:  # it often has the model of the part it was made from; its own name tells them apart
            self.names = tuple(dict.fromkeys((self.part.name(context.language) or part_id, *self.names)))
        self.verdicts: Mapping[str, SlotVerdict] = {}
        self.slot_card: dict[str, int] = {}
        self.card_slots: dict[int, list[str]] = {}
        self.slot = ""
        self.edge = ""
        self.host = ""
        self.refusal: Message | None = None
        if self.on_server:
            self.verdicts = legality(context.project, context.design, context.sheet, self.part, ignore_item=item)
            self._find_slots()

    @property
    def on_server(self) -> bool:
        """Whether the open sheet is a server sheet."""
        return self.scene.kind == "server"

    def _find_slots(self) -> None:
        eff = self.context.eff
        for slot in self.verdicts:
            for index in self.scene.by_id.get(slot, ()):
                self.slot_card[slot] = index
                self.card_slots.setdefault(index, []).append(slot)
        for seat, ids in eff.seated().items():
            for row_id in ids:
                for index in self.scene.by_id.get(row_id, ()):
                    if self.scene.style[index] != Style.FRAME and seat in self.verdicts:
                        self.slot_card.setdefault(seat, index)
                        self.card_slots.setdefault(index, []).append(seat)

    @property
    def spoken(self) -> str:
        """The name in a sentence: the longest that stays short."""
        if self.own:
            return self.names[0]
        return next((name for name in self.names if len(name) <= 22), self.names[-1])

    # -- what is shown ----------------------------------------------------------------------------------------------

    def signs(self) -> dict[int, SlotSign]:
        """Verdict for every slot that could be meant. Slots of another form are only told when the pointer is on
        them."""
        out: dict[int, SlotSign] = {}
        for index, slots in self.card_slots.items():
            slot = self.best(slots)
            verdict = self.verdicts[slot]
            foreign = bool(verdict.reasons) and verdict.reasons[0][0] == "MEC-06" and slot != self.slot
            own = self.item is not None and self.item in (self.scene.card(index).id, *self.scene.card(index).also)
            if foreign or (own and slot != self.slot):
                continue
            out[index] = self.sign(slot)
        return out

    def best(self, slots: list[str]) -> str:
        """The slot of a card that takes the part best."""
        order = {"legal": 0, "loss": 1, "illegal": 2}
        return min(slots, key=lambda s: order[self.verdicts[s].level])

    def sign(self, slot: str) -> SlotSign:
        """Words for one slot."""
        verdict = self.verdicts[slot]
        lang = self.context.language
        row = self.context.eff.slots.get(slot)
        title = slot_label(slot, row.label if row else "")
        if verdict.level == "legal":
            shape = f"x{row.electrical} Gen{row.gen}" if row else ""
            return SlotSign("ok", title, (shape, msg("Legal: release to drop").text(lang)))
        rule, reason = verdict.reasons[0]
        return SlotSign(STATE[verdict.level], title, (reason.text(lang), rule))

    def ghost(self, x: float, y: float) -> Ghost:
        """The card as it hangs on the pointer."""
        lang = self.context.language
        part = self.part
        frame = {"cxl": "cxl", "nvme": "storage"}.get(part.kind, "accent")
        spaced = part.kind in ("gpu", "server", "chassis") and not self.own
        names = spaced_model(part, self.part_id, lang) if spaced else self.names
        fact = []
        if part.get("edge_lanes"):
            fact.append(f"x{part.get('edge_lanes'):g} Gen{part.get('pcie_gen'):g}")
        if part.get("power_w"):
            fact.append(msg("{power} W", power=part.get("power_w")).text(lang))
        if part.get("height_u"):
            fact.append(f"{part.get('height_u'):g}U")
        card = Card(
            "~", Style.DEVICE, pictogram(part.kind), tuple(names), "", (", ".join(fact),) if fact else (), frame=frame
        )
        return Ghost(card, 176.0 if self.on_server else 210.0, 60.0, x, y)

    # -- the pointer ------------------------------------------------------------------------------------------------

    def hover(self, x: float, y: float, reach: float) -> int | None:
        """Pointer moved: finds the slot, link or server under it; returns the card that is meant."""
        self.slot = self.edge = self.host = ""
        self.refusal = None
        index = self._card_under(x, y)
        if self.on_server:
            if index is not None and index in self.card_slots:
                self.slot = self.best(self.card_slots[index])
                return index
            if self.part.kind == "retimer" and self.item is None:
                edge = edge_at(self.scene, x, y, reach)
                if edge is not None:
                    link = self.scene.edges.links[int(self.scene.edges.link[edge])]
                    if link in self.context.sheet_row.links:
                        self.edge = link
                        return None
            if self.item is None and self.part.kind not in LOOSE_KINDS:
                self.refusal = msg("{part} goes into a slot; drop it on one.", part=self.spoken)
            return None
        if self.part.kind not in FABRIC_KINDS:
            if index is not None and self._is_server(index):
                self.host = self.scene.card(index).id
                return index
            self.refusal = msg("{part} goes into a server: drop it on one to open it.", part=self.spoken)
        return None

    def _card_under(self, x: float, y: float) -> int | None:
        mask = (
            (self.scene.x <= x)
            & (x <= self.scene.x + self.scene.w)
            & (self.scene.y <= y)
            & (y <= self.scene.y + self.scene.h)
        )
        mask &= self.scene.style != Style.FRAME
        found = mask.nonzero()[0]
        return int(found[-1]) if len(found) else None

    def _is_server(self, index: int) -> bool:
        item = self.context.eff.items.get(self.scene.card(index).id)
        return item is not None and item.of.startswith("sheet:")

    def describe(self, ghost: Ghost, *, force: bool = False) -> None:
        """Tip beside the card: what would happen if it were dropped now; ``force`` with Alt held."""
        lang = self.context.language
        name = self.spoken
        ghost.tip_title, ghost.tip_state, ghost.tip_rows, ghost.tip_note = "", "", (), ""
        if self.slot:
            verdict = self.verdicts[self.slot]
            row = self.context.eff.slots.get(self.slot)
            label = slot_label(self.slot, row.label if row else "")
            ghost.tip_state = STATE[verdict.level]
            if verdict.level == "illegal":
                told = [reason for _, reason in verdict.reasons[:2]]
                if force:
                    ghost.tip_title = msg("Force {part} into {slot}", part=name, slot=label).text(lang)
                    told.append(msg("It will be recorded as placed against the rules."))
                else:
                    ghost.tip_title = msg("{part} does not go into {slot}", part=name, slot=label).text(lang)
                    told.append(msg("Alt drops it all the same and records it."))
                gap = "" if lang == "zh_CN" else " "  # a Chinese full stop brings its own space
                ghost.tip_note = gap.join(sentence.text(lang) for sentence in told)
            else:
                ghost.tip_title = msg("Drop {part} in {slot}", part=name, slot=label).text(lang)
                if verdict.reasons:
                    ghost.tip_note = verdict.reasons[0][1].text(lang)
            ghost.tip_rows = self._rows(verdict)
        elif self.edge:
            ghost.tip_title, ghost.tip_state = (
                msg("Insert {part} into {link}", part=name, link=self.edge).text(lang),
                "ok",
            )
            ghost.tip_rows = self._watts(self._load_now())
        elif self.host:
            ghost.tip_title, ghost.tip_state = (
                msg("Open {server} to place it in a slot", server=self.host).text(lang),
                "ok",
            )
        elif self.refusal is not None:
            ghost.tip_title, ghost.tip_state = self.refusal.text(lang), "info"

    def _rows(self, verdict: SlotVerdict) -> tuple[tuple[str, str, str, float, float], ...]:
        lang = self.context.language
        rows: list[tuple[str, str, str, float, float]] = []
        for cpu, (before, after) in sorted(verdict.consequences.lanes.items()):
            total = self._lanes_total(cpu)
            tail = msg("of {total}", total=f"{total:g}").text(lang) if total else ""
            label = msg("{cpu} lanes", cpu=cpu.upper()).text(lang)
            rows.append(
                (label, f"{before} → {after}", tail, before / total if total else 0.0, after / total if total else 0.0)
            )
        rows += self._watts(verdict.consequences.power_w)
        before_g, after_g = verdict.consequences.memory_gb
        if after_g != before_g:
            rows.append(
                (
                    msg("Host memory").text(lang),
                    f"{before_g / 1024:.1f} → {after_g / 1024:.1f} TB",
                    "",
                    before_g / max(after_g, 1),
                    1.0,
                )
            )
        return tuple(rows)

    def _watts(self, power_w: tuple[float, float]) -> tuple[tuple[str, str, str, float, float], ...]:
        """Row of the power before and after; none where the card draws nothing."""
        lang = self.context.language
        before_w, after_w = power_w
        if after_w == before_w:
            return ()
        limit = self._power_limit()
        tail = msg("of {limit} kW", limit=f"{limit / 1000:.2f}").text(lang) if limit else "kW"
        share = (before_w / limit, after_w / limit) if limit else (0.5, 0.5)
        return ((msg("Power").text(lang), f"{before_w / 1000:.2f} → {after_w / 1000:.2f}", tail, *share),)

    def _load_now(self) -> tuple[float, float]:
        """Watts of the enclosure without and with the part on the mouse, for a part that goes into no slot."""
        own = (v for slot, v in self.verdicts.items() if slot.startswith("chassis:"))
        first = next(own, None)
        return first.consequences.power_w if first is not None else (0.0, 0.0)

    def _lanes_total(self, cpu: str) -> float:
        rows = self.scene.by_id.get(cpu, ())
        lanes = self.scene.card(rows[0]).lanes if rows else None
        return lanes.total if lanes else 0.0

    def _power_limit(self) -> float:
        for row in self.context.analysis.sheets.get(self.context.sheet, {}).get("power", ()):
            if row.get("host") == "chassis":
                return float(row["usable_w"])
        part = self.context.eff.chassis_part
        return supply_w(part) if part else 0.0

    def pending(self) -> dict[int, Card]:
        """CPU cards with what the card on the mouse would take drawn into their lane bar."""
        if not self.slot:
            return {}
        verdict = self.verdicts[self.slot]
        out: dict[int, Card] = {}
        for index in self.scene.by_id.get(POWER_ID, ()) if self.slot.startswith("chassis:") else ():
            card = self.scene.card(index)
            out[index] = with_pending(card, self.part.kind, verdict.consequences.power_w, self.context.language)
        for cpu, (before, after) in verdict.consequences.lanes.items():
            for index in self.scene.by_id.get(cpu, ())[:1]:
                card = self.scene.card(index)
                if card.lanes is None:
                    continue
                state = "error" if verdict.level == "illegal" or after > card.lanes.total else "ok"
                word = kind_word(self.part.kind).text(self.context.language)
                shares = (
                    *card.lanes.shares,
                    Share(word, after - before, SHARE_TOKENS.get(self.part.kind, "mgmt"), state),
                )
                figure = msg(
                    "{before} → {after} of {total}", before=before, after=after, total=f"{card.lanes.total:g}"
                ).text(self.context.language)
                out[index] = dataclasses.replace(
                    card, lanes=dataclasses.replace(card.lanes, shares=shares, figure=figure, state=state)
                )
        return out

    # -- letting go -------------------------------------------------------------------------------------------------

    def call(self, x: float, y: float, *, force: bool) -> EditCall | Message:
        """The edit that drops the part here, or the sentence that says why not."""
        context = self.context
        where: dict[str, object] = {"design": context.design, "sheet": context.sheet}
        if self.slot:
            verdict = self.verdicts[self.slot]
            illegal = verdict.level == "illegal"
            if illegal and not force:
                rule, reason = verdict.reasons[0]
                return msg("{reason} ({rule}) Hold Alt to drop it all the same.", reason=reason, rule=rule)
            forced = illegal and force
            if self.item is not None:
                return EditCall("seat", {**where, "item": self.item, "slot": self.slot, "forced": forced})
            return EditCall("add_item", {**where, "part": self.part_id, "seat": self.slot, "forced": forced})
        if self.edge:
            return EditCall(
                "insert_in_link", {**where, "link": self.edge, "part": self.part_id, "xy": [snap(x), snap(y)]}
            )
        if self.refusal is not None and not (force and self.on_server):
            return self.refusal
        if self.item is not None:
            return msg("Drop the card on a slot.")
        w, h = (86.0, 118.0) if self.on_server else (210.0, 80.0)
        return EditCall("add_item", {**where, "part": self.part_id, "xy": [snap(x - w / 2), snap(y - h / 2)]})
