# Python 3.11 in the oldest Debian that mirrors still have, linked so that it starts with glibc 2.28.
# Runs inside the building system; MIRROR is the Debian mirror that holds the source.
cd "$HOME"
rm -rf Python-3.11*
echo "deb-src $MIRROR bookworm main" > /etc/apt/sources.list.d/python-source.list
apt-get update -qq
apt-get source --download-only python3.11
tar xf python3.11_*.orig.tar.*
cd Python-3.11*
# Newer versions of these functions exist in this glibc; the old ones do the same for our purpose and are everywhere.
cat > "$HOME/old_symbols.h" <<'H'
#ifndef __ASSEMBLER__
__asm__(".symver exp,exp@GLIBC_2.2.5");
__asm__(".symver log,log@GLIBC_2.2.5");
__asm__(".symver pow,pow@GLIBC_2.2.5");
__asm__(".symver log2,log2@GLIBC_2.2.5");
__asm__(".symver exp2,exp2@GLIBC_2.2.5");
#endif
H
export ac_cv_func_pthread_cond_clockwait=no ac_cv_func_sem_clockwait=no
./configure --prefix=/opt/python --enable-shared --without-ensurepip --disable-test-modules \
  CFLAGS="-include $HOME/old_symbols.h" LDFLAGS='-Wl,-rpath,/opt/python/lib'
make -j2
make install
strip --strip-unneeded /opt/python/lib/libpython3.11.so.1.0
/opt/python/bin/python3.11 -c 'import sqlite3, ctypes, lzma, bz2, zlib, uuid, sys; print(sys.version)'
cd "$HOME" && rm -rf Python-3.11*
