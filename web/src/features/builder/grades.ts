import type { DictionaryOption } from '@convexa/contract/reference'
import type { Choice } from '../../ui/controls.tsx'

/** `5+` is better than `5`, `5-` worse; a text that is no grade comes last. */
function gradeOf(text: string): number {
  const [, grade, sign] = /^(\d+(?:\.\d+)?)([+-]?)$/.exec(text.trim()) ?? []
  return grade === undefined ? Number.POSITIVE_INFINITY : Number(grade) + (sign === '+' ? -0.25 : sign === '-' ? 0.25 : 0)
}

/** Third parties' grades as a form offers them, best first: the worst that may stay. Data without any offer none. */
export function gradeChoices(known: readonly DictionaryOption[], chosen: string | null): Choice<string>[] {
  const grades = [...new Set([...known.map(({ value }) => String(value)), ...(chosen ? [chosen] : [])])]
    .filter((grade) => Number.isFinite(gradeOf(grade)))
    .sort((a, b) => gradeOf(a) - gradeOf(b))
  return grades.length === 0
    ? []
    : [{ value: '', label: '三方评级不限' }, ...grades.map((value) => ({ value, label: `三方差于 ${value}` }))]
}
