#!/bin/sh
# Fabricwright.app and a disk image, on a Mac. Untested: see README.md beside this file.
#   packaging/macos/build.sh            builds dist/Fabricwright.app and dist/Fabricwright-VERSION-ARCH.dmg
#   SIGN_AS="Developer ID Application: ..." NOTARY_PROFILE=name packaging/macos/build.sh   signs and notarises too
set -eu
cd "$(dirname "$0")/../.."
[ "$(uname)" = Darwin ] || { echo "This script runs on macOS; here it is $(uname)."; exit 2; }
python="${PYTHON:-python3.11}"
"$python" -m venv build/macos-venv
build/macos-venv/bin/pip install --quiet --require-hashes -r requirements-dev.lock
build/macos-venv/bin/pip install --quiet --no-deps --no-build-isolation -e .
build/macos-venv/bin/python -m fabricwright.catalog.bake
build/macos-venv/bin/python scripts/i18n.py --compile
build/macos-venv/bin/python packaging/icons.py build/packaging/icons
build/macos-venv/bin/python -m PyInstaller --noconfirm --distpath dist --workpath build/pyinstaller packaging/fabricwright.spec
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' desktop/fabricwright/__init__.py)
app=dist/Fabricwright.app
image="dist/Fabricwright-$version-$(uname -m).dmg"
if [ -n "${SIGN_AS:-}" ]; then
  codesign --force --deep --options runtime --timestamp --sign "$SIGN_AS" "$app"
fi
"$app/Contents/MacOS/Fabricwright" --selftest build/selftest-macos.json
rm -f "$image"
hdiutil create -volname Fabricwright -srcfolder "$app" -format UDZO "$image"
if [ -n "${NOTARY_PROFILE:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
  xcrun stapler staple "$image"
fi
shasum -a 256 "$image"
