#!/usr/bin/env python3
"""sbom.py - prints the bill of materials of a release as SPDX 2.3 JSON.

usage: sbom.py NAME COMMIT EPOCH SOURCE ARCHIVE [PROGRAM]

NAME is rmux-VERSION, COMMIT the commit's id, EPOCH its time in seconds, SOURCE its
unpacked tree.  pkg-config gives the versions of the libraries.  If PROGRAM is
named, it must load the libraries that LIBRARIES says, and no others.  Nothing in
the output depends on when or where it is made.  scripts/release.sh calls this.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import uuid

# pkg-config's modules in the order that configure.ac tries them, the soname,
# what it is called, licence, and how rmux needs it
LIBRARIES = [
    ("libevent_core", "libevent_core", "libevent", "BSD-3-Clause", "DYNAMIC_LINK"),
    ("libsodium", "libsodium", "libsodium", "ISC", "DYNAMIC_LINK"),
    ("tickit", "libtickit", "libtickit", "MIT", "DYNAMIC_LINK"),
    # its headers only
    ("msgpack-c msgpack", "libmsgpack", "msgpack-c", "BSL-1.0", "STATIC_LINK"),
    ("libutf8proc", "libutf8proc", "utf8proc", "MIT AND Unicode-DFS-2015",
     "DYNAMIC_LINK"),
    ("libzstd", "libzstd", "zstd", "BSD-3-Clause OR GPL-2.0-only", "DYNAMIC_LINK"),
    # for the option bidi alone
    ("fribidi", "libfribidi", "fribidi", "LGPL-2.1-or-later",
     "OPTIONAL_DEPENDENCY_OF"),
    # loaded at run time, for ML-KEM-768 alone
    ("libcrypto", "libcrypto", "OpenSSL", "Apache-2.0", "OPTIONAL_DEPENDENCY_OF"),
    ("check", "libcheck", "Check", "LGPL-2.1-or-later", "TEST_DEPENDENCY_OF"),
]
# The C library and what comes with the compiler.
SYSTEM = re.compile(r"(libc|libm|libdl|libutil|librt|libpthread|libgcc_s|ld-[^.]*)\.")
TOOLS = [
    ("autoconf", "GPL-3.0-or-later WITH Autoconf-exception-3.0"),
    ("automake", "GPL-2.0-or-later WITH Autoconf-exception-2.0"),
    ("tar", "GPL-3.0-or-later"),
    ("xz", "0BSD AND GPL-2.0-or-later"),
]
# Of the program.
BUILDERS = [
    ("cc", "NOASSERTION"),
    ("ld", "NOASSERTION"),
]


def run(*argv):
    return subprocess.run(argv, stdout=subprocess.PIPE, check=True, text=True).stdout


def digest(kind, path):
    with open(path, "rb") as f:
        return {"algorithm": kind.upper(),
                "checksumValue": hashlib.new(kind, f.read()).hexdigest()}


def library_version(modules):
    for m in modules.split():
        got = subprocess.run(["pkg-config", "--modversion", m], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if got.returncode == 0:
            return got.stdout.strip()
    return None


def package(ident, name, version, licence, **more):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", ident),
            "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **more}


def loaded(program):
    """The sonames that the dynamic linker loads for PROGRAM."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", program))


def main():
    if len(sys.argv) not in (6, 7):
        sys.exit(__doc__.splitlines()[2])
    name, commit, epoch, source, archive = sys.argv[1:6]
    program = sys.argv[6] if len(sys.argv) == 7 else None
    version = name.partition("-")[2]
    with open(source + "/LICENCE") as f:
        copyright_line = next(line for line in f if line.startswith("Copyright"))
    rmux = package("rmux", "rmux", version, "ISC", packageFileName=archive,
                   checksums=[digest("sha256", archive)],
                   primaryPackagePurpose="APPLICATION",
                   sourceInfo="git commit " + commit)
    rmux["licenseConcluded"] = "ISC"
    rmux["copyrightText"] = copyright_line.strip()
    packages, relations, files = [rmux], [], []

    def relate(a, kind, b):
        relations.append({"spdxElementId": a, "relationshipType": kind,
                          "relatedSpdxElement": b})

    relate("SPDXRef-DOCUMENT", "DESCRIBES", rmux["SPDXID"])
    for modules, _, title, licence, how in LIBRARIES:
        v = library_version(modules)
        if v is None:
            if how.endswith("_LINK"):
                sys.exit("sbom.py: pkg-config does not know " + modules)
            continue
        p = package("lib-" + title, title, v, licence,
                    primaryPackagePurpose="LIBRARY")
        packages.append(p)
        if how.endswith("_LINK"):
            relate(rmux["SPDXID"], how, p["SPDXID"])
        else:
            relate(p["SPDXID"], how, rmux["SPDXID"])
    tools = TOOLS + (BUILDERS if program else [])
    for tool, licence in tools:
        argv = os.environ.get("CC", tool).split() if tool == "cc" else [tool]
        first = run(*argv, "--version").splitlines()[0]
        v = re.search(r"\d+(\.\d+)+", first)
        p = package("tool-" + tool, tool, v.group() if v else "NOASSERTION", licence,
                    comment=first)
        packages.append(p)
        relate(p["SPDXID"], "BUILD_TOOL_OF", rmux["SPDXID"])
    if program:
        found = {so.split(".")[0].split("-")[0] for so in loaded(program)
                 if not SYSTEM.match(so)}
        known = {row[1] for row in LIBRARIES if row[4] == "DYNAMIC_LINK"}
        if found != known:
            sys.exit("sbom.py: %s loads %s, LIBRARIES says %s" % (
                program, " ".join(sorted(found)), " ".join(sorted(known))))
        libc = subprocess.run(["getconf", "GNU_LIBC_VERSION"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if libc.returncode == 0:
            p = package("lib-glibc", "glibc", libc.stdout.split()[1],
                        "LGPL-2.1-or-later", primaryPackagePurpose="LIBRARY")
            packages.append(p)
            relate(rmux["SPDXID"], "DYNAMIC_LINK", p["SPDXID"])
        files.append({
            "SPDXID": "SPDXRef-program", "fileName": "./" + program,
            "fileTypes": ["BINARY"], "licenseConcluded": "ISC",
            "copyrightText": rmux["copyrightText"],
            "checksums": [digest("sha1", program), digest("sha256", program)],
            "comment": "loads " + " ".join(sorted(loaded(program)))})
        relate("SPDXRef-program", "GENERATED_FROM", rmux["SPDXID"])
    body = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(epoch))),
            "creators": ["Organization: The rmux developers", "Tool: scripts/sbom.py"]},
        "packages": packages, "relationships": relations}
    if files:
        body["files"] = files
    # A name for this content: made from it.
    body["documentNamespace"] = "urn:uuid:%s" % uuid.uuid5(
        uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    json.dump(body, sys.stdout, indent=1, sort_keys=True)
    print()


main()
