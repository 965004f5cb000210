/** The largest table of holdings that is read: as much text as the call takes. */
export const mostBytes = 200_000

/** Terminals write their tables in GBK, spreadsheets in UTF-8: what is no UTF-8 is the other. */
export function textOfTable(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gbk').decode(bytes)
  }
}
