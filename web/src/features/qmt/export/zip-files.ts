/** What stands in the directory of a zip archive (PKWARE APPNOTE 4.3), in its order: names and sizes, nothing unpacked. */
export function zipFiles(archive: ArrayBuffer): { name: string; size: number }[] {
  const view = new DataView(archive)
  const end = endOf(view)
  const files: { name: string; size: number }[] = []
  let at = view.getUint32(end + 16, true)
  for (let i = 0; i < view.getUint16(end + 10, true); i++) {
    const length = view.getUint16(at + 28, true)
    files.push({ name: new TextDecoder().decode(new Uint8Array(archive, at + 46, length)), size: view.getUint32(at + 24, true) })
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === 0x06054b50) return at
  throw new Error('no zip archive')
}
