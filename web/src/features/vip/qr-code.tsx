import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './order-parts.module.css'

/** Light modules around it, as the standard wants (ISO/IEC 18004). */
const border = 4

/** A text as a code to scan, dark on light in either theme: not every phone reads another. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border })
    return { size, path: data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('') }
  }, [text])
  return (
    <svg className={styles.qrCode} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
