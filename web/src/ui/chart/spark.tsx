import './spark.css'

/** A shape of a few words' width: what lies between the line and zero is filled. Decoration; the row beside it has the numbers. */
export function Spark({
  values,
  width = 64,
  height = 18,
  tone = 'down',
}: {
  values: readonly number[]
  width?: number
  height?: number
  /** `plain` is a line alone, between its own lowest and highest, with its end marked. */
  tone?: 'down' | 'brand' | 'plain'
}) {
  if (values.length < 2) return null
  const from = tone === 'plain' ? [] : [0]
  const low = Math.min(...values, ...from)
  const high = Math.max(...values, ...from)
  const span = high - low || 1
  const x = (i: number) => Number(((i / (values.length - 1)) * width).toFixed(1))
  const y = (value: number) => Number((((high - value) / span) * (height - 2) + 1).toFixed(1))
  const last = values[values.length - 1] as number
  const line = values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(value)}`).join('')
  return (
    <svg className={`spark ${tone}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="ground" d={`${line}L${width} ${y(0)}L0 ${y(0)}Z`} />
      <path className="line" d={line} />
      {tone === 'plain' && <circle cx={x(values.length - 1) - 2} cy={y(last)} r="2" />}
    </svg>
  )
}
