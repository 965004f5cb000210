// A square out of a picture: where its middle is, in the picture's own pixels, and how far it is zoomed in. Pure.

export interface Picture {
  width: number
  height: number
}

export interface Crop {
  x: number
  y: number
  /** 1: the largest square. */
  zoom: number
}

export const mostZoom = 4

export const firstCrop = ({ width, height }: Picture): Crop => ({ x: width / 2, y: height / 2, zoom: 1 })

/** The square's side, in the picture's pixels. */
export const sideOf = ({ width, height }: Picture, { zoom }: Crop): number => Math.min(width, height) / zoom

/** The nearest square that is whole inside the picture. */
export function within(picture: Picture, crop: Crop): Crop {
  const zoom = Math.min(mostZoom, Math.max(1, crop.zoom))
  const half = sideOf(picture, { ...crop, zoom }) / 2
  const clamp = (middle: number, length: number) => Math.min(length - half, Math.max(half, middle))
  return { x: clamp(crop.x, picture.width), y: clamp(crop.y, picture.height), zoom }
}

/** The picture pushed by a share of the square's side: to the right shows more of its left. */
export function pushed(picture: Picture, crop: Crop, right: number, down: number): Crop {
  const side = sideOf(picture, crop)
  return within(picture, { ...crop, x: crop.x - right * side, y: crop.y - down * side })
}

export const zoomed = (picture: Picture, crop: Crop, zoom: number): Crop => within(picture, { ...crop, zoom })

const step = 0.05
const fine = 0.01

/** What a key does to a crop: arrows push the picture (Shift: a little), + and − zoom, 0 begins anew; null for every other key. */
export function keyed(picture: Picture, crop: Crop, key: string, shift: boolean): Crop | null {
  const by = shift ? fine : step
  switch (key) {
    case 'ArrowLeft':
      return pushed(picture, crop, -by, 0)
    case 'ArrowRight':
      return pushed(picture, crop, by, 0)
    case 'ArrowUp':
      return pushed(picture, crop, 0, -by)
    case 'ArrowDown':
      return pushed(picture, crop, 0, by)
    case '+':
    case '=':
      return zoomed(picture, crop, crop.zoom + 0.1)
    case '-':
      return zoomed(picture, crop, crop.zoom - 0.1)
    case '0':
      return firstCrop(picture)
    default:
      return null
  }
}
