# -*- coding: utf-8 -*-
"""One client of a config at a time on a computer: two would give the same orders, each without knowing of the other."""

import errno
import io
import os
import tempfile

try:
    import msvcrt
except ImportError:
    msvcrt = None
    import fcntl


# What systems say of a lock that another has.
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK, getattr(errno, 'EDEADLOCK', errno.EDEADLK))


def only_one(name, folder=None):
    """An open file that holds the place until it is closed or the process has died; None when another client has it.

    folder: of the journal; without one the place is the computer's, where each user, or each TMP, may have one of its own.
    """
    file = io.open(os.path.join(folder or tempfile.gettempdir(), 'convexa-%s.lock' % name), 'a+')
    try:
        file.seek(0)
        if msvcrt:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (IOError, OSError) as error:
        # Some shared folders know no locks: the place of the computer is left.
        if error.errno in TAKEN or not folder:
            file.close()
            return None
    return file
