import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from 'react'
import { Slider } from '../../../ui/form/choices.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { type Crop, keyed, mostZoom, type Picture, pushed, sideOf, zoomed } from './crop.ts'
import styles from './profile.module.css'

/** The square of a picture: dragged, pinched, or moved by keys. */
export function CropBox({
  address,
  picture,
  crop,
  onChange,
}: {
  address: string
  picture: Picture
  crop: Crop
  onChange: (crop: Crop) => void
}) {
  const hint = useId()
  const box = useRef<HTMLDivElement>(null)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const latest = useRef(crop)
  latest.current = crop

  const drag = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    const width = box.current?.clientWidth ?? 1
    if (!before) return
    const here = { x: event.clientX, y: event.clientY }
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, here)
    if (other) {
      const apart = (a: typeof here) => Math.hypot(a.x - other.x, a.y - other.y)
      return onChange(zoomed(picture, crop, crop.zoom * (apart(here) / Math.max(1, apart(before)))))
    }
    onChange(pushed(picture, crop, (here.x - before.x) / width, (here.y - before.y) / width))
  }
  const press = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : keyed(picture, crop, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    onChange(next)
  }
  // By hand: a wheel heard through React could not be kept from scrolling the dialog.
  useEffect(() => {
    const shown = box.current
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      onChange(zoomed(picture, latest.current, latest.current.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1)))
    }
    shown?.addEventListener('wheel', wheel, { passive: false })
    return () => shown?.removeEventListener('wheel', wheel)
  }, [picture, onChange])

  const side = sideOf(picture, crop)
  const share = (pixels: number) => `${(pixels / side) * 100}%`
  return (
    <Stack gap={12}>
      <div
        ref={box}
        className={styles.cropBox}
        role="application"
        aria-label="头像裁剪区域"
        aria-describedby={hint}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is worked by arrows, + and −
        tabIndex={0}
        data-focus
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        }}
        onPointerMove={drag}
        onPointerUp={(event) => fingers.current.delete(event.pointerId)}
        onPointerCancel={(event) => fingers.current.delete(event.pointerId)}
      >
        <img
          src={address}
          alt=""
          draggable={false}
          style={{
            width: share(picture.width),
            height: share(picture.height),
            left: share(side / 2 - crop.x),
            top: share(side / 2 - crop.y),
          }}
        />
        <span className={styles.cropRound} />
      </div>
      <Row gap={12} className={styles.cropZoom}>
        <span aria-hidden="true">缩放</span>
        <Slider
          label="缩放"
          value={crop.zoom}
          min={1}
          max={mostZoom}
          step={0.1}
          words={(zoom) => `${zoom.toFixed(1)} 倍`}
          onChange={(zoom) => onChange(zoomed(picture, crop, zoom))}
        />
      </Row>
      <p id={hint} className="size-12 text-3">
        拖动图片调整位置，滚轮或双指缩放；键盘用方向键移动（按住 Shift 微调），+ 和 − 缩放，0 复位。
      </p>
    </Stack>
  )
}
