export interface PictureColours {
  ground: string
  text: string
  fonts: string
}

const captionLine = 22
const side = 16
/** Of one text of the caption: a formula may be long. */
const mostLines = 4

/** A drawn chart with lines of text above it, the first its title, as a PNG data URL; null where the browser gives no pen. */
export function captioned(
  drawn: HTMLCanvasElement,
  ratio: number,
  { ground, text, fonts }: PictureColours,
  caption: readonly string[],
): string | null {
  const picture = document.createElement('canvas')
  const pen = picture.getContext('2d')
  if (!pen) return null
  const fontOf = (first: boolean) => `${first ? `600 ${15 * ratio}` : `400 ${12 * ratio}`}px ${fonts}`
  const lines = caption.flatMap((text, i) => {
    pen.font = fontOf(i === 0)
    return linesOf(text, drawn.width - 2 * side * ratio, (part) => pen.measureText(part).width).map((line) => ({ line, first: i === 0 }))
  })
  const top = (lines.length * captionLine + 16) * ratio
  // A canvas forgets its font with its size.
  picture.width = drawn.width
  picture.height = drawn.height + top
  pen.fillStyle = ground
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.drawImage(drawn, 0, top)
  pen.fillStyle = text
  lines.forEach(({ line, first }, i) => {
    pen.font = fontOf(first)
    pen.fillText(line, side * ratio, ((i + 1) * captionLine + 4) * ratio)
  })
  return picture.toDataURL('image/png')
}

/** A text in lines of at most a width, however long it is; what has no room in the last ends in an ellipsis. */
export function linesOf(text: string, width: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const sign of text) {
    if (line !== '' && widthOf(line + sign) > width) {
      if (lines.length === mostLines - 1) return [...lines, `${line.slice(0, -1)}…`]
      lines.push(line)
      line = ''
    }
    line += sign
  }
  return [...lines, line]
}
