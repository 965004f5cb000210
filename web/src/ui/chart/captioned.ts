export interface PictureColours {
  ground: string
  text: string
  fonts: string
}

const captionLine = 22

/** A drawn chart with lines of text above it, the first its title, as a PNG data URL; null where the browser gives no pen. */
export function captioned(
  drawn: HTMLCanvasElement,
  ratio: number,
  { ground, text, fonts }: PictureColours,
  caption: readonly string[],
): string | null {
  const top = (caption.length * captionLine + 16) * ratio
  const picture = document.createElement('canvas')
  picture.width = drawn.width
  picture.height = drawn.height + top
  const pen = picture.getContext('2d')
  if (!pen) return null
  pen.fillStyle = ground
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.drawImage(drawn, 0, top)
  pen.fillStyle = text
  caption.forEach((line, i) => {
    pen.font = `${i === 0 ? `600 ${15 * ratio}` : `400 ${12 * ratio}`}px ${fonts}`
    pen.fillText(line, 16 * ratio, ((i + 1) * captionLine + 4) * ratio)
  })
  return picture.toDataURL('image/png')
}
