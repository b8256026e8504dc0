#!/bin/sh
# Installs below the user's home, without root: program, menu entry, file type. Run by the self-extracting archive.
set -eu
target="${FABRICWRIGHT_DIR:-$HOME/.local/opt/fabricwright}"
data="${XDG_DATA_HOME:-$HOME/.local/share}"
missing=$(find fabricwright -name '*.so*' -type f -exec ldd {} + 2>/dev/null | grep 'not found' \
  | grep -v -e libQt6 -e libpyside -e libshiboken | awk '{print $1}' | sort -u | tr '\n' ' ')
if [ -n "$missing" ]; then
  echo "This system lacks libraries that the window needs: $missing"
  echo "Install them with your system's package tool, or use the .deb, which asks for them by itself."
fi
mkdir -p "$(dirname "$target")" "$data/applications" "$data/mime/packages" "$data/icons" "$HOME/.local/bin"
# A new version replaces the old one whole; projects and settings lie elsewhere.
rm -rf "$target.new"
cp -a fabricwright "$target.new"
rm -rf "$target"
mv "$target.new" "$target"
ln -sf "$target/fabricwright" "$HOME/.local/bin/fabricwright"
sed "s#^Exec=fabricwright#Exec=\"$target/fabricwright\"#;s#^TryExec=.*#TryExec=$target/fabricwright#" \
  usr/share/applications/io.fabricwright.Fabricwright.desktop > "$data/applications/io.fabricwright.Fabricwright.desktop"
cp usr/share/mime/packages/io.fabricwright.Fabricwright.xml "$data/mime/packages/"
cp -r usr/share/icons/. "$data/icons/"
if command -v update-mime-database > /dev/null; then update-mime-database "$data/mime"; fi
if command -v update-desktop-database > /dev/null; then update-desktop-database "$data/applications"; fi
echo "Installed in $target"
