"""The first page: templates, recent files, ways to begin."""
