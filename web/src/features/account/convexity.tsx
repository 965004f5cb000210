/**
 * Why a convertible bond is convex, drawn: its price lies above the bond value and above the conversion value.
 * Black–Scholes-like shape; an illustration, no data.
 */
const frame = { left: 0, right: 456, top: 50, bottom: 300 }
const floor = 95
const yuan = (value: number) => 275.5 - (value - 80) * 2.5
/** Conversion value at a place of the horizontal axis. */
const parity = (x: number) => 70 + ((x - 108) / 324) * 90
/** A smooth maximum of floor and conversion value. */
const bond = (x: number) => {
  const softness = 22.5
  const gap = (parity(x) - floor) / softness
  return floor + softness * Math.log1p(Math.exp(gap))
}

const places = Array.from({ length: 109 }, (_, i) => i * 4).filter((x) => x <= 432)
const line = (of: (x: number) => number, xs: readonly number[]) =>
  xs.map((x, i) => `${i === 0 ? 'M' : 'L'}${x} ${yuan(of(x)).toFixed(1)}`).join('')
const curve = line(bond, places)
const area = `${curve}${[...places]
  .reverse()
  .map((x) => `L${x} ${yuan(Math.max(floor, parity(x))).toFixed(1)}`)
  .join('')}Z`
/** Where the conversion value meets the bond value. */
const meeting = 198

export function Convexity() {
  return (
    <svg className="convexity" viewBox="0 0 496 336" role="img" aria-label="示意图：转债价格曲线位于纯债价值与转股价值之上">
      {[80, 100, 120, 140, 160].map((level) => (
        <g key={level}>
          <line className="grid" x1={frame.left} x2={frame.right} y1={yuan(level)} y2={yuan(level)} />
          <text x="464" y={yuan(level) + 4}>
            {level}
          </text>
        </g>
      ))}
      <line className="axis" x1={frame.left} x2={frame.right} y1="300.5" y2="300.5" />
      <path d={area} fill="var(--brand)" opacity=".07" />
      <line
        x1={frame.left}
        x2={frame.right}
        y1={yuan(floor)}
        y2={yuan(floor)}
        stroke="var(--bench)"
        strokeWidth="1.5"
        strokeDasharray="5 3"
      />
      <path d={`M108 300L432 ${yuan(160)}`} stroke="var(--text-3)" strokeWidth="1.5" strokeDasharray="2 3" />
      <path d={curve} fill="none" stroke="var(--brand)" strokeWidth="2.5" strokeLinejoin="round" />
      <line x1={meeting} x2={meeting} y1={yuan(bond(meeting)) + 8} y2={yuan(floor) - 1} stroke="var(--brand)" />
      <circle cx={meeting} cy={yuan(bond(meeting))} r="4.5" fill="var(--bg-surface)" stroke="var(--brand)" strokeWidth="2" />
      <text className="dark" x={meeting + 2} y="255.5">
        转股溢价
      </text>
      <text className="bench" x="8" y="255.5">
        纯债价值
      </text>
      <text x="354" y="171.5">
        转股价值
      </text>
      <text className="brand" x="295" y="126" textAnchor="end">
        转债价格
      </text>
      <text x={frame.right} y="322" textAnchor="end">
        正股价格 →
      </text>
      <text x="464" y="44">
        元
      </text>
    </svg>
  )
}
