"""The elevation view: rows of racks with what stands in them, moved by mouse and keyboard, seated by rule."""
