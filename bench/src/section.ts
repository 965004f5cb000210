/** How a run of the benchmark was asked for. */
export interface Options {
  readonly peers: boolean
  /** The long way: every alpha also against the slow peers. */
  readonly all: boolean
  /** The short way: the fifteen alphas only. */
  readonly quick: boolean
}

/** One part of the page: a case and what was measured. */
export interface Section {
  readonly title: string
  /** How it was measured, said before the table. */
  readonly about: string
  readonly columns: readonly string[]
  readonly rows: string[][]
  /** What must be known to read the table. */
  readonly notes: string[]
  /** Goals of this case and whether this run met them. */
  readonly goals: Goal[]
}

export interface Goal {
  readonly job: string
  readonly goal: string
  readonly measured: string
  /** null = could not be measured in this run, the reason is in `measured`. */
  readonly met: boolean | null
}

/** `measured`: when, what and on what. */
export function sectionText({ title, about, columns, rows, notes }: Section, measured: string): string {
  return [`## ${title}`, '', measured, '', about, '', ...table(columns, rows), '', ...notes.flatMap((note) => [note, ''])].join('\n')
}

export function goalsText(sections: readonly Section[]): string {
  const goals = sections.flatMap((section) => section.goals)
  if (goals.length === 0) return ''
  const rows = goals.map(({ job, goal, measured, met }) => [job, goal, measured, met === null ? '–' : met ? 'met' : '**not met**'])
  return ['## Goals', '', ...table(['job', 'goal', 'this run', ''], rows), ''].join('\n')
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
