import { useChartTheme } from '../../../ui/chart/chart-theme.ts'
import { colourAt, dashes } from './overlay-option.ts'

/** The line of a column as the chart draws it. */
export function LineMark({ place }: { place: number | null }) {
  const look = useChartTheme()
  const dash = place === null ? [5, 3] : dashes[place]
  return (
    <svg width="24" height="8" viewBox="0 0 24 8" aria-hidden="true">
      <path
        d="M0 4H24"
        stroke={place === null ? look.bench : colourAt(look, place)}
        strokeWidth="2"
        strokeDasharray={Array.isArray(dash) ? dash.join(' ') : undefined}
      />
    </svg>
  )
}
