"""For testing only: real code for six C99 accessors that Wine 10 has as stubs and numpy asks for at import.

    python3 complete_ucrtbase.py ucrtbase.dll

A double complex is passed by reference (rcx), a float complex by value in rcx. A stub is recognised by how it begins
("sub rsp, 40"); anything else is left alone.
"""

import sys
from pathlib import Path

import pefile

STUB = bytes.fromhex("4883ec28")
CODE = {
    "crealf": "660f6ec1c3",  # movd xmm0, ecx; ret
    "cimagf": "48c1e920660f6ec1c3",  # shr rcx, 32; movd xmm0, ecx; ret
    "creal": "f20f1001c3",  # movsd xmm0, [rcx]; ret
    "creall": "f20f1001c3",
    "cimag": "f20f104108c3",  # movsd xmm0, [rcx + 8]; ret
    "cimagl": "f20f104108c3",
}

path = Path(sys.argv[1])
library = pefile.PE(str(path))
exported = {row.name.decode(): row for row in library.DIRECTORY_ENTRY_EXPORT.symbols if row.name}
data = bytearray(path.read_bytes())
library.close()
for name, code in CODE.items():
    row = exported.get(name)
    if row is None or row.forwarder:
        print("not there:", name)
        continue
    at = library.get_offset_from_rva(row.address)
    if data[at : at + 4] != STUB:
        print("not a stub:", name)
        continue
    data[at : at + len(code) // 2] = bytes.fromhex(code)
    print("completed:", name)
path.write_bytes(data)
