"""Painters that work on any QPaintDevice, on screen and off."""
