/** A basket as the terminal reads it. */
export interface ReadFile {
  /** Its lines, the head first. */
  lines: readonly string[]
  /** `GBK · CRLF · 无 BOM · 3 行 · 128 字节`: what its bytes are, looked at and not promised. */
  kind: string
}

/** Decodes the bytes by the terminal's rule: GBK. What is no GBK would show as �, which no basket has. */
export function readFile(bytes: Uint8Array<ArrayBuffer>): ReadFile {
  const text = new TextDecoder('gbk').decode(bytes)
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const breaks = text.match(/\n/g)?.length ?? 0
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return {
    lines,
    kind: [
      text.includes('\ufffd') ? '不是 GBK' : 'GBK',
      (text.match(/\r\n/g)?.length ?? 0) === breaks ? 'CRLF' : 'LF',
      marked ? '有 BOM' : '无 BOM',
      `${lines.length} 行`,
      `${bytes.byteLength.toLocaleString('en')} 字节`,
    ].join(' · '),
  }
}
