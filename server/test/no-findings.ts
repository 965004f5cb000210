import type { Quality } from '../src/db/tables/quality.ts'

/** Of rows in which the checks found nothing. */
export const noFindings: Quality = {
  rows: 0,
  listedRows: 0,
  securities: 0,
  firstDate: '',
  lastDate: '',
  adjust: 'raw',
  preset: '',
  source: [],
  quarantined: 0,
  findings: [],
  notes: [],
}
