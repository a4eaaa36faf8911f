#!/bin/sh
# autogen.sh - makes ./configure from configure.ac.
set -e
cd "$(dirname "$0")"
mkdir -p m4 build-aux
exec autoreconf -fi
