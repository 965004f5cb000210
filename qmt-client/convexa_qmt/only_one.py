# -*- coding: utf-8 -*-
"""One client of a config at a time on a computer: two would give the same orders, each without knowing of the other."""

import io
import os
import tempfile

try:
    import msvcrt
except ImportError:
    msvcrt = None
    import fcntl


def only_one(name):
    """An open file that holds the place until it is closed or the process has died; None when another client has it."""
    file = io.open(os.path.join(tempfile.gettempdir(), 'convexa-%s.lock' % name), 'a+')
    try:
        file.seek(0)
        if msvcrt:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (IOError, OSError):
        file.close()
        return None
    return file
