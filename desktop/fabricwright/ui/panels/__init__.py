"""Panels around the canvas. Each is a QWidget made with a ``UiContext``; it shows values and posts edits,
nothing else.
"""
