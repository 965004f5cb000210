# -*- coding: utf-8 -*-
"""Lines of JSON that are only ever added, each on disk before the next step is taken.

Version 2 begins with `head`; each line has its count `n` and, as its last member, `c`, the CRC-32 of what stands before it. Lines before the
head are of version 1 and have neither.
"""

import io
import json
import os
import shutil
import time
import uuid
import zlib

KEPT_COPIES = 10
# Bytes within which a file may end whose very first line was cut: more than that were lines once.
FIRST_LINE = 500
SUM = b', "c": '


class Damaged(Exception):
    """A line in the middle cannot be read: nothing may be traded by this file."""

    def __init__(self, line):
        Exception.__init__(self, u'委托记录第 %d 行已损坏' % line)
        self.line = line


class CannotWrite(Exception):
    """A line is not on disk: what it would have said must not be done."""


class JournalFile(object):
    """`lines`: what was read. `id`: of the journal, made with its head. `n`: count of the last line."""

    def __init__(self, path):
        self.path, self.id, self.n = path, '', 0
        self.lines, whole, tail = self._read()
        if tail:
            self._set_aside(tail)
        is_new = not os.path.exists(path)
        self._file = io.open(path, 'ab')
        if is_new:
            keep_name(path)
        if os.path.getsize(path) > whole:
            self._file.truncate(whole)
        self._whole = whole

    @property
    def version_1(self):
        """Lines were read and no head: a client before 2.0.0 wrote them."""
        return bool(self.lines) and not self.id

    def _read(self):
        if not os.path.exists(self.path):
            return [], 0, b''
        with io.open(self.path, 'rb') as file:
            text = file.read()
        lines, whole = [], 0
        while whole < len(text):
            end = text.find(b'\n', whole)
            line = self._line(text[whole:end]) if end >= 0 else None
            if line is None:
                # The last line may have been cut, or be zeros: its step was not taken. Anything else is damage.
                if (end < 0 or not text[end + 1:].strip(b'\0\r\n ')) and (lines or len(text) <= FIRST_LINE):
                    return lines, whole, text[whole:]
                raise Damaged(len(lines) + 1)
            lines.append(line)
            whole = end + 1
        return lines, whole, b''

    def _line(self, text):
        """What a line says, None: it cannot be read, or is not the next one."""
        body, mark, crc = text.rpartition(SUM)
        try:
            if mark and int(crc.rstrip(b'}')) != zlib.crc32(body) & 0xffffffff:
                return None
            line = json.loads(text.decode('utf-8'))
        except ValueError:
            return None
        if not isinstance(line, dict) or not isinstance(line.get('kind'), str):
            return None
        if line['kind'] == 'head':
            self.id = line['id']
        if self.id:
            if not mark or line.get('n') != self.n + 1:
                return None
            self.n += 1
        return line

    def _set_aside(self, tail):
        with io.open(os.path.splitext(self.path)[0] + '.cut', 'ab') as file:
            file.write(tail + b'\n')

    def begin(self):
        """Writes the head, where there is none. Version 1 knows no such line and stops at it."""
        if not self.id:
            made = uuid.uuid4().hex
            self.write({'kind': 'head', 'v': 2, 'id': made}, made)

    def write(self, line, new_id=None):
        """Adds a line. Raises CannotWrite, and leaves the file as it was as far as the disk lets it."""
        line = dict(line, n=self.n + 1)
        body = json.dumps(line, ensure_ascii=False, sort_keys=True).encode('utf-8')[:-1]
        text = body + SUM + str(zlib.crc32(body) & 0xffffffff).encode('ascii') + b'}\n'
        try:
            self._file.write(text)
            self._file.flush()
            os.fsync(self._file.fileno())
        except (IOError, OSError, ValueError) as error:
            self._take_back()
            raise CannotWrite(u'委托记录写不进磁盘：%s' % error)
        self._whole += len(text)
        self.n += 1
        self.id = new_id or self.id
        return line

    def _take_back(self):
        try:
            self._file.close()
        except (IOError, OSError, ValueError):
            pass
        try:
            with io.open(self.path, 'r+b') as file:
                file.truncate(self._whole)
            self._file = io.open(self.path, 'ab')
        except (IOError, OSError, ValueError):
            pass

    def close(self):
        try:
            self._file.close()
        except (IOError, OSError, ValueError):
            pass


def keep_name(path):
    """Puts the name of a new file on the disk, where the system has a way: its lines alone are no file after a power cut."""
    try:
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except (IOError, OSError):
        pass


def copy_of(path, journal_id, folder):
    """Keeps a copy of a journal that could be read: of the last ten starts, and the longest of each journal, so that starts with another
    file or an old one take none away that has more. A copy that fails stops nobody."""
    name = os.path.splitext(os.path.basename(path))[0]
    try:
        if not os.path.isdir(folder):
            os.mkdir(folder)
        shutil.copyfile(path, os.path.join(folder, '%s-%s-%s.jsonl' % (name, time.strftime('%Y%m%d-%H%M%S'), journal_id[:8])))
        copies = sorted(one for one in os.listdir(folder) if one.startswith(name + '-'))
        longest = {}
        for one in copies:
            size, of = os.path.getsize(os.path.join(folder, one)), one[len(name) + 16:]
            if size >= longest.get(of, (0, ''))[0]:
                longest[of] = (size, one)
        for one in set(copies[:-KEPT_COPIES]) - set(kept for _size, kept in longest.values()):
            os.remove(os.path.join(folder, one))
    except (IOError, OSError):
        pass
