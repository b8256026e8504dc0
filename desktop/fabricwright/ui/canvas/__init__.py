"""The canvas: from a sheet of the document to a scene, and the view on it."""
