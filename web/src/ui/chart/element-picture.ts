import { captioned, type PictureColours } from './captioned.ts'

const ratio = 2

/** A part of the page that no canvas draws, as a PNG data URL under lines of text. Its code comes when it is asked for. */
export async function pictureOfElement(element: HTMLElement, colours: PictureColours, caption: readonly string[]): Promise<string | null> {
  const { domToCanvas } = await import('modern-screenshot')
  const drawn = await domToCanvas(element, { scale: ratio, font: false, backgroundColor: colours.ground })
  return captioned(drawn, ratio, colours, caption)
}
