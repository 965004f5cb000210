import { expect, it } from 'vitest'
import { readFile } from './read-file.ts'

const bytes = (hex: string, rest = '') => new Uint8Array([...Buffer.from(hex, 'hex'), ...Buffer.from(rest, 'latin1')])

it.each<[name: string, bytes: Uint8Array<ArrayBuffer>, lines: string[], kind: string]>([
  ['a basket as it is made', bytes('b4fac2eb', ',x\r\n000001,SZ\r\n'), ['代码,x', '000001,SZ'], 'GBK · CRLF · 无 BOM · 2 行 · 19 字节'],
  ['line ends of another system', bytes('b4fac2eb', '\n1\n'), ['代码', '1'], 'GBK · LF · 无 BOM · 2 行 · 7 字节'],
  ['UTF-8 with its mark', bytes('efbbbfe4bba3ff'), expect.any(Array), '不是 GBK · CRLF · 有 BOM · 1 行 · 7 字节'],
])('of %s says what the terminal reads', (_name, given, lines, kind) => expect(readFile(given)).toEqual({ lines, kind }))
